// Signs up an owner over HTTP, with a session, a workspace and a key.
import { randomUUID } from 'node:crypto'
import { type Call, caller, type TestService } from './service.ts'

export type Account = {
  user_id: string
  /** Calls below /api with the session. */
  session: Call
  /** The Cookie header of the session. */
  cookie: string
  workspace_id: string
  api_key: string
  /** Calls below /api/v1 with a full key. */
  key: Call
}

export async function createAccount({ url }: Pick<TestService, 'url'>): Promise<Account> {
  const { body, headers } = await caller(`${url}/api`)<{ user: { id: string } }>(
    'POST',
    '/auth/sign-up/email',
    {
      email: `${randomUUID()}@example.com`,
      password: 'correct horse',
      name: 'Ann',
    },
  )
  const cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
  const session = caller(`${url}/api`, { Cookie: cookie })
  const workspace_id = await createTestWorkspace(session)
  const { key } = await createTestKey(session)
  return {
    user_id: body.user.id,
    session,
    cookie,
    workspace_id,
    api_key: key,
    key: withKey(url, key),
  }
}

export const withKey = (url: string, api_key: string): Call =>
  caller(`${url}/api/v1`, { Authorization: `Bearer ${api_key}` })

export async function createTestWorkspace(session: Call, name = 'Team'): Promise<string> {
  const { body, status } = await session<{ id: string }>('POST', '/workspaces', { name })
  if (status !== 201) throw new Error(`no workspace: ${JSON.stringify(body)}`)
  return body.id
}

export async function createTestKey(
  session: Call,
  fields: object = {},
): Promise<{ id: string; key: string }> {
  const { body, status } = await session<{ id: string; key: string }>('POST', '/api-keys', {
    name: 'Key',
    ...fields,
  })
  if (status !== 201) throw new Error(`no key: ${JSON.stringify(body)}`)
  return body
}
