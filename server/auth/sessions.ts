// Sessions of dashboard users, and the cookie that carries their token. The cookie is signed, so that a made-up
// one costs no query; whether a session lives is the database's word alone, so that an ended one is ended everywhere.
import { randomUUID } from 'node:crypto'
import type { ListedSession } from '../../shared/session.ts'
import type { User } from '../../shared/user.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { wrongCredentials } from '../errors.ts'
import { randomToken, sha256, sign, unsign } from './tokens.ts'

const LIFETIME_MS = 30 * 24 * 3_600_000
const TOUCH_EVERY_MS = 3_600_000
// The longest that browsers keep a cookie. The session slides, the cookie need not be sent again for it.
const COOKIE_MAX_AGE_S = 400 * 24 * 3_600
const USER_AGENT_MAX = 400
const PURPOSE = 'session'

export type Session = { id: string; user: User }
export type NewSession = {
  id: string
  set_cookie: string /** The one that the browser had before. */
  ended_id: string | null
}
export type Sessions = ReturnType<typeof createSessions>

type Options = {
  sql: Sql
  secret: string
  /** Whether users come over https. The name then begins with `__Host-`: browsers take such a cookie from this
   * host only, over https, so that no page of a neighbouring host can plant a session of its own. */
  secure: boolean
  now?: () => number
}

export function createSessions({ sql, secret, secure, now = Date.now }: Options) {
  const cookie_name = secure ? '__Host-session' : 'session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const instant = (offset_ms = 0) => new Date(now() + offset_ms).toISOString()
  const setCookie = (token: string) =>
    `${cookie_name}=${sign(secret, PURPOSE, token)}; Max-Age=${COOKIE_MAX_AGE_S}; ${attributes}`

  return {
    /** Sent with a sign-out: the browser drops the cookie. */
    clear_cookie: `${cookie_name}=; Max-Age=0; ${attributes}`,

    /**
     * A new session, in place of the one that the request came with. `password_hash`: what the user's password was
     * held against; where it has changed since, there is no session, and this throws 401.
     */
    async create(
      user_id: string,
      cookies?: string,
      user_agent?: string,
      password_hash: string | null = null,
    ): Promise<NewSession> {
      const token = randomToken()
      const old = parseSessionCookie(cookies, cookie_name, secret)
      // The lock: a password that is being changed ends this session too, or this waits and is refused.
      const [row] = await sql<{ id: string; ended_id: string | null }[]>`
        with account as (
          select id from users
          where id = ${user_id} and (${password_hash}::text is null or password_hash = ${password_hash}) for share
        ), ended as (
          delete from sessions where token_hash = ${old && sha256(old)} and exists (select from account) returning id
        )
        insert into sessions (id, token_hash, user_id, user_agent, created_at, last_used_at, expires_at)
        select ${randomUUID()}::uuid, ${sha256(token)}::bytea, id, ${user_agent?.slice(0, USER_AGENT_MAX) ?? null}::text,
          ${instant()}::timestamptz, ${instant()}::timestamptz, ${instant(LIFETIME_MS)}::timestamptz from account
        returning id, (select id from ended) as ended_id`
      if (!row) throw wrongCredentials()
      return { ...row, set_cookie: setCookie(token) }
    },

    /** Gives a session another token: the one before is void. The Set-Cookie, or null where the session has ended. */
    async renew(tx: Transaction, session_id: string): Promise<string | null> {
      const token = randomToken()
      const renewed = await tx`
        update sessions set token_hash = ${sha256(token)}, last_used_at = ${instant()}, expires_at = ${instant(LIFETIME_MS)}
        where id = ${session_id} returning id`
      return renewed.length === 0 ? null : setCookie(token)
    },

    /** The session that a `Cookie` header names, of a request or of a WebSocket's upgrade. */
    async find(cookies: string | undefined): Promise<Session | null> {
      const token = parseSessionCookie(cookies, cookie_name, secret)
      if (token === null) return null
      const [row] = await sql<
        { session_id: string; last_used_at: string; id: string; email: string; name: string }[]
      >`
        select s.id as session_id, s.last_used_at, u.id, u.email, u.name
        from sessions s join users u on u.id = s.user_id
        where s.token_hash = ${sha256(token)} and s.expires_at > ${instant()}`
      if (!row) return null
      const { session_id, last_used_at, ...user } = row
      if (now() - Date.parse(last_used_at) >= TOUCH_EVERY_MS) {
        await sql`
          update sessions set last_used_at = ${instant()}, expires_at = ${instant(LIFETIME_MS)}
          where id = ${session_id} and last_used_at <= ${instant(-TOUCH_EVERY_MS)}`
      }
      return { id: session_id, user }
    },

    async end(session_id: string): Promise<void> {
      await sql`delete from sessions where id = ${session_id}`
    },

    /** The user's living sessions, the one used last first. `current_id` is marked. */
    async list(user_id: string, current_id: string): Promise<ListedSession[]> {
      return await sql<ListedSession[]>`
        select id, id = ${current_id} as current, user_agent, created_at, last_used_at, expires_at
        from sessions where user_id = ${user_id} and expires_at > ${instant()}
        order by last_used_at desc, created_at desc, id`
    },

    /** Ends a session of the user's; false where there is none. */
    async endOwn(user_id: string, session_id: string): Promise<boolean> {
      const ended = await sql`
        delete from sessions where id = ${session_id} and user_id = ${user_id} and expires_at > ${instant()} returning id`
      return ended.length > 0
    },

    /** Ends the user's living sessions but one; the ids of those that ended. */
    async endOthers(user_id: string, kept_id: string, within: Sql | Transaction = sql): Promise<string[]> {
      const rows = await within<{ id: string }[]>`
        delete from sessions where user_id = ${user_id} and id <> ${kept_id} and expires_at > ${instant()} returning id`
      return rows.map(row => row.id)
    },

    /** Removes what has expired. To be called now and then: an expired session is refused without it. */
    async deleteExpired(): Promise<void> {
      await sql`delete from sessions where expires_at <= ${instant()}`
    },
  }
}

/** The token in a `Cookie` header, or null where there is none that we signed. */
export function parseSessionCookie(
  cookies: string | undefined,
  cookie_name: string,
  secret: string,
): string | null {
  for (const cookie of cookies?.split(';') ?? []) {
    const [name, value] = cookie.trim().split('=', 2)
    if (name !== cookie_name || value === undefined) continue
    const token = unsign(secret, PURPOSE, value)
    if (token !== null) return token
  }
  return null
}
