// The service in this process with its own database, an owner, a key and helpers to call it.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { type Config, loadConfig } from '../../server/config.ts'
import type { Sql } from '../../server/database/connect.ts'
import { createApiKey } from '../../server/model/api-keys.ts'
import { createUser } from '../../server/model/users.ts'
import { createWorkspace } from '../../server/model/workspaces.ts'
import { type Service, startService } from '../../server/service.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export type Answer<T = unknown> = { status: number; body: T; headers: Headers }

export type Call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<T>>

export type Owner = { user_id: string; api_key: string; key_id: string; workspace_id: string; call: Call }

export type TestService = Service & {
  database: TestDatabase
  /** An owner with a workspace and a full key; `call` uses the key, below /api/v1. */
  createOwner(): Promise<Owner>
}

/** `database`: another service's, to run a second instance on it. */
export async function startTestService(
  env: Record<string, string> = {},
  {
    database: given,
    ...options
  }: Partial<Parameters<typeof startService>[0]> & { database?: TestDatabase | undefined } = {},
): Promise<TestService> {
  const database = given ?? (await createTestDatabase())
  const limits = { DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0', SIGNUP_LIMIT: '0' }
  const config: Config = loadConfig({ PORT: '0', ...limits, ...env })
  const service = await startService({
    config,
    auth_secret: 'a secret of tests, and of nothing else',
    target: database.target,
    restored: false,
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    ...options,
  })
  return {
    ...service,
    database,
    createOwner: () => createOwner(service.sql, service.url),
    async stop() {
      await service.stop()
      if (!given) await database.drop()
    },
  }
}

async function createOwner(sql: Sql, url: string): Promise<Owner> {
  const email = `${randomUUID()}@example.com`
  const user = await createUser(sql, { email, name: 'Owner', password_hash: 'none' })
  const workspace = await createWorkspace(sql, user.id, { name: 'Team', icon: '🏢' }, null)
  const key = await createApiKey(sql, user.id, {
    name: 'Tests',
    scope: 'full',
    workspace_id: null,
    expires_at: null,
  })
  return {
    user_id: user.id,
    api_key: key.key,
    key_id: key.id,
    workspace_id: workspace.id,
    call: caller(`${url}/api/v1`, { Authorization: `Bearer ${key.key}` }),
  }
}

/** Calls with `headers`. A body is sent as JSON unless it is a string or bytes. */
export function caller(base: string, headers: Record<string, string> = {}): Call {
  return async <T>(method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const payload =
      typeof body === 'string'
        ? body
        : body instanceof Uint8Array
          ? new Uint8Array(body)
          : JSON.stringify(body)
    const response = await fetch(base + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers, ...more },
      ...(payload !== undefined && { body: payload }),
    })
    const text = await response.text()
    const parsed: T = text === '' ? null : JSON.parse(text)
    return { status: response.status, body: parsed, headers: response.headers }
  }
}

/** Creates something and returns the response's body. */
export async function create<T = { id: string }>(call: Call, path: string, fields: object): Promise<T> {
  const { status, body } = await call<T>('POST', path, fields)
  if (status !== 201) throw new Error(`POST ${path} returned ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Creates a channel of the owner and returns its id. */
export async function createTestChannel({ call, workspace_id }: Owner, fields: object = {}): Promise<string> {
  return (await create(call, '/channels', { name: 'Channel', workspace_id, ...fields })).id
}
