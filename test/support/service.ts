// The service in this process with its own database, and helpers to call it.
import { pino } from 'pino'
import { type Config, loadConfig } from '../../server/config.ts'
import { keyPairOf, newPrivateJwk } from '../../server/key-pair.ts'
import { type Service, startService } from '../../server/service.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'

export type Answer<T = unknown> = { status: number; body: T; headers: Headers }

export type Call = <T = Record<string, unknown>>(
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer<T>>

export type TestService = Service & { database: TestDatabase }

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
    signing_key: await keyPairOf(newPrivateJwk()),
    target: database.target,
    restored: false,
    log: pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    ...options,
  })
  return {
    ...service,
    database,
    async stop() {
      await service.stop()
      if (!given) await database.drop()
    },
  }
}

/** Calls with `headers`. A body is sent as JSON unless it is a string or bytes. */
export function callTo(base: string, headers: Record<string, string> = {}): Call {
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
