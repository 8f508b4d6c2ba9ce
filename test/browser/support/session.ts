// What the dashboard asks of the API, with the session of a test server's owner: for preparing what a page shows.
import type { TestServer } from '../../support/server.ts'

export type Session = <T = unknown>(method: string, path: string, body?: object) => Promise<T>

export async function makeSession(server: TestServer): Promise<Session> {
  const signedIn = await fetch(`${server.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(server.owner),
  })
  const Cookie = signedIn.headers.get('Set-Cookie')?.split(';')[0] ?? ''
  return async <T>(method: string, path: string, body?: object) => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { Cookie, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    const parsed: T = JSON.parse(text === '' ? 'null' : text)
    return parsed
  }
}

export type LoggedInteraction = { interaction_id: string; deliveries: { status: string; attempts: number }[] }

export async function readLog(session: Session, channel: string): Promise<LoggedInteraction[]> {
  const { interactions } = await session<{ interactions: LoggedInteraction[] }>(
    'GET',
    `/channels/${channel}/interactions`,
  )
  return interactions
}
