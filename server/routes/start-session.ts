// Begins a session, however the person signed in.
import type { AppContext, RouteDeps } from './deps.ts'

/**
 * Sets the cookie. Ends the browser's earlier session, and the user's oldest ones beyond the limit.
 * `password_hash`: as it was when the password was checked; null if none was.
 */
export async function startSession(
  { sessions, publish }: Pick<RouteDeps, 'sessions' | 'publish'>,
  c: AppContext,
  user_id: string,
  password_hash: string | null = null,
): Promise<void> {
  const { set_cookie, ended_ids } = await sessions.create(
    user_id,
    c.req.header('Cookie'),
    c.req.header('User-Agent'),
    password_hash,
  )
  for (const session_id of ended_ids) publish({ kind: 'session_ended', session_id })
  c.header('Set-Cookie', set_cookie, { append: true })
}
