// The API as the dashboard uses it, with the session of a test server's owner.
import type { TestServer } from '../../support/server.ts'
import { makeSend, type Send } from './api.ts'

export type Credentials = TestServer['owner']

/** Signs a user up. */
export async function makeUser({ url }: Pick<TestServer, 'url'>, name = 'Sam'): Promise<Credentials> {
  const user = { email: `${crypto.randomUUID()}@example.com`, password: 'a long password' }
  await makeSend(`${url}/api`, {})('POST', '/auth/sign-up/email', { ...user, name })
  return user
}

export async function makeSession({ url, owner }: Pick<TestServer, 'url' | 'owner'>): Promise<Send> {
  return makeSend(`${url}/api`, await sessionHeaders(url, owner))
}

/** The headers of a new session's requests. */
export async function sessionHeaders(url: string, owner: Credentials): Promise<{ Cookie: string }> {
  const signedIn = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(owner),
  })
  return { Cookie: signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? '' }
}

export type LoggedInteraction = { interaction_id: string; deliveries: { status: string; attempts: number }[] }

export async function readLog(session: Send, channel: string): Promise<LoggedInteraction[]> {
  const path = `/channels/${channel}/interactions`
  return (await session<{ interactions: LoggedInteraction[] }>('GET', path)).interactions
}
