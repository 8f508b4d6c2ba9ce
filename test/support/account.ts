// Signs up an owner over HTTP, with a session, a workspace and a key.
import { randomUUID } from 'node:crypto'
import { type Call, caller, create, type TestService } from './service.ts'

/** `session` calls below /api with the cookie, `key` below /api/v1 with a full key. */
export type Account = Awaited<ReturnType<typeof createAccount>>

export async function createAccount({ url }: Pick<TestService, 'url'>) {
  const fields = { email: `${randomUUID()}@example.com`, password: 'correct horse', name: 'Ann' }
  const signUp = caller(`${url}/api`)<{ user: { id: string } }>('POST', '/auth/sign-up/email', fields)
  const { body, headers } = await signUp
  const cookie = cookieOf(headers)
  const session = caller(`${url}/api`, { Cookie: cookie })
  const workspace_id = await createTestWorkspace(session)
  const { key: api_key } = await createTestKey(session)
  return { user_id: body.user.id, session, cookie, workspace_id, api_key, key: withKey(url, api_key) }
}

/** The Cookie header that a browser sends after this response. */
export const cookieOf = (headers: Headers): string => headers.get('Set-Cookie')?.split(';')[0] ?? ''

/** Unlocks the workspace of these fields with its password. Returns the cookie. */
export async function unlock({ url }: Pick<TestService, 'url'>, fields: object): Promise<string> {
  return cookieOf((await caller(`${url}/api`)('POST', '/channel-unlock', fields)).headers)
}

export const withKey = (url: string, api_key: string): Call =>
  caller(`${url}/api/v1`, { Authorization: `Bearer ${api_key}` })

export async function createTestWorkspace(session: Call, name = 'Team'): Promise<string> {
  return (await create(session, '/workspaces', { name })).id
}

export const createTestKey = (session: Call, fields: object = {}) =>
  create<{ id: string; key: string }>(session, '/api-keys', { name: 'Key', ...fields })
