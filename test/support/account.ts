// Signs up an owner over HTTP, with a session, a workspace and a key. Also signs in, and unlocks workspaces.
import { randomUUID } from 'node:crypto'
import { type Call, callTo, create, type TestService } from './service.ts'

/** `session` calls below /api with the cookie, `key` below /api/v1 with a full key. */
export type Account = Awaited<ReturnType<typeof createAccount>>

export async function createAccount({ url }: Pick<TestService, 'url'>) {
  const email = `${randomUUID()}@example.com`
  const fields = { email, password: OWN_PASSWORD, name: 'Ann' }
  const signUp = callTo(`${url}/api`)<{ user: { id: string } }>('POST', '/auth/sign-up/email', fields)
  const { body, headers } = await signUp
  const cookie = cookieOf(headers)
  const session = callTo(`${url}/api`, { Cookie: cookie })
  const workspace = await create<{ id: string; slug: string }>(session, '/workspaces', { name: 'Team' })
  const { key: api_key } = await createTestKey(session)
  return {
    user_id: body.user.id,
    email,
    session,
    cookie,
    workspace_id: workspace.id,
    slug: workspace.slug,
    api_key,
    key: withKey(url, api_key),
  }
}

/** The password of every account. */
export const OWN_PASSWORD = 'correct horse'

/** The Cookie header that a browser sends after this response. */
export const cookieOf = (headers: Headers): string => headers.get('Set-Cookie')?.split(';')[0] ?? ''

/** Returns the cookie of a new session. */
export async function signIn(url: string, email: string, password = OWN_PASSWORD): Promise<string> {
  return cookieOf((await callTo(`${url}/api`)('POST', '/auth/sign-in/email', { email, password })).headers)
}

/** Unlocks the workspace of these fields with its password. Returns the cookie. */
export async function unlock({ url }: Pick<TestService, 'url'>, fields: object): Promise<string> {
  return cookieOf((await callTo(`${url}/api`)('POST', '/channel-unlock', fields)).headers)
}

/** The same account on another instance. */
export const accountAt = ({ url }: { url: string }, account: Account): Account => ({
  ...account,
  session: callTo(`${url}/api`, { Cookie: account.cookie }),
  key: withKey(url, account.api_key),
})

export const withKey = (url: string, api_key: string): Call =>
  callTo(`${url}/api/v1`, { Authorization: `Bearer ${api_key}` })

export async function createTestWorkspace(session: Call, name = 'Team'): Promise<string> {
  return (await create(session, '/workspaces', { name })).id
}

export const createTestKey = (session: Call, fields: object = {}) =>
  create<{ id: string; key: string }>(session, '/api-keys', { name: 'Key', ...fields })
