// Sessions and their cookie. The cookie is signed, so a forged one costs no query. Only the database decides whether
// a session is valid, so an ended session is ended on every instance.
import { randomUUID } from 'node:crypto'
import { SESSIONS_PER_USER } from '../../shared/limits.ts'
import type { ListedSession } from '../../shared/session.ts'
import type { User } from '../../shared/user.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { apiError } from '../errors.ts'
import { cookiesIn, randomToken, sha256, sign, unsign } from './tokens.ts'

const LIFETIME_MS = 30 * 24 * 3_600_000
const TOUCH_EVERY_MS = 3_600_000
// Browsers keep cookies for at most 400 days. The session is extended with use; the cookie stays the same.
const COOKIE_MAX_AGE_S = 400 * 24 * 3_600
const USER_AGENT_MAX = 400
const PURPOSE = 'session'

export type Session = { id: string; user: User }
type SessionRow = User & { session_id: string; last_used_at: string }
export type Sessions = ReturnType<typeof createSessions>

export function createSessions(sql: Sql, secret: string, secure: boolean, now: () => number) {
  // With `__Host-`, pages of neighbouring hosts can't set the cookie.
  const cookie_name = secure ? '__Host-session' : 'session'
  const attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  const instant = (offset_ms = 0) => new Date(now() + offset_ms).toISOString()
  const setCookie = (token: string) =>
    `${cookie_name}=${sign(secret, PURPOSE, token)}; Max-Age=${COOKIE_MAX_AGE_S}; ${attributes}`

  return {
    clear_cookie: `${cookie_name}=; Max-Age=0; ${attributes}`,

    /**
     * Creates a session. Ends the one in `cookies`, and those of the user that began first if there are too many.
     * `password_hash`: the hash that the password was checked against; throws 401 if it has changed since.
     */
    async create(
      user_id: string,
      cookies?: string,
      user_agent?: string,
      password_hash: string | null = null,
    ) {
      const token = randomToken()
      const old = parseSessionCookie(cookies, cookie_name, secret)
      const created = await sql.begin(async tx => {
        // The lock orders this with a password change, which must end this session too, and with other sign-ins.
        const [account] = await tx`
          select from users where id = ${user_id} and (${password_hash}::text is null or password_hash = ${password_hash})
          for no key update`
        if (!account) throw apiError('invalid_credentials')
        const ended = await tx<{ id: string }[]>`
          delete from sessions where token_hash = ${old && sha256(old)} or id in (
            select id from sessions
            where user_id = ${user_id} and expires_at > ${instant()} and token_hash is distinct from ${old && sha256(old)}
            order by created_at desc, id offset ${SESSIONS_PER_USER - 1})
          returning id`
        const id = randomUUID()
        await tx`
          insert into sessions (id, token_hash, user_id, user_agent, created_at, last_used_at, expires_at)
          values (${id}, ${sha256(token)}, ${user_id}, ${user_agent?.slice(0, USER_AGENT_MAX) ?? null},
            ${instant()}, ${instant()}, ${instant(LIFETIME_MS)})`
        return { id, ended_ids: ended.map(({ id }) => id) }
      })
      return { ...created, set_cookie: setCookie(token) }
    },

    /** Replaces a session's token. Returns the Set-Cookie, or null if the session has ended. */
    async renew(tx: Transaction, session_id: string): Promise<string | null> {
      const token = randomToken()
      const renewed = await tx`
        update sessions set token_hash = ${sha256(token)}, last_used_at = ${instant()}, expires_at = ${instant(LIFETIME_MS)}
        where id = ${session_id} returning id`
      return renewed.length === 0 ? null : setCookie(token)
    },

    ...createSessionSearch(sql, cookies => parseSessionCookie(cookies, cookie_name, secret), now),
    ...createSessionList(sql, instant),
  }
}

const sessionOf = ({ session_id, last_used_at: _, ...user }: SessionRow): Session => ({
  id: session_id,
  user,
})

function createSessionSearch(
  sql: Sql,
  tokenIn: (cookies: string | undefined) => string | null,
  now: () => number,
) {
  const instant = (offset_ms = 0) => new Date(now() + offset_ms).toISOString()

  /** Using a session extends it. */
  async function touch(rows: SessionRow[]): Promise<void> {
    const old = rows.filter(({ last_used_at }) => now() - Date.parse(last_used_at) >= TOUCH_EVERY_MS)
    if (old.length === 0) return
    const ids = JSON.stringify(old.map(({ session_id }) => session_id))
    await sql`
      update sessions set last_used_at = ${instant()}, expires_at = ${instant(LIFETIME_MS)}
      where id in (select value::uuid from json_array_elements_text(${ids}::text::json))
        and last_used_at <= ${instant(-TOUCH_EVERY_MS)}`
  }

  return {
    async find(cookies: string | undefined): Promise<Session | null> {
      const token = tokenIn(cookies)
      if (token === null) return null
      const [row] = await sql<SessionRow[]>`
        select s.id as session_id, s.last_used_at, u.id, u.email, u.name
        from sessions s join users u on u.id = s.user_id
        where s.token_hash = ${sha256(token)} and s.expires_at > ${instant()}`
      if (!row) return null
      await touch([row])
      return sessionOf(row)
    },

    /** The same for many `Cookie` headers, with one query. */
    async findAll(all: (string | undefined)[]): Promise<(Session | null)[]> {
      const hashes = all.map(cookies => {
        const token = tokenIn(cookies)
        return token === null ? null : sha256(token).toString('hex')
      })
      const distinct = [...new Set(hashes.filter(hash => hash !== null))]
      if (distinct.length === 0) return all.map(() => null)
      const rows = await sql<(SessionRow & { hash: string })[]>`
        select given.hash, s.id as session_id, s.last_used_at, u.id, u.email, u.name
        from json_array_elements_text(${JSON.stringify(distinct)}::text::json) as given (hash)
        join sessions s on s.token_hash = decode(given.hash, 'hex') join users u on u.id = s.user_id
        where s.expires_at > ${instant()}`
      await touch(rows)
      const found = new Map(rows.map(({ hash, ...row }) => [hash, sessionOf(row)]))
      return hashes.map(hash => (hash === null ? null : (found.get(hash) ?? null)))
    },
  }
}

function createSessionList(sql: Sql, instant: () => string) {
  return {
    async end(session_id: string): Promise<void> {
      await sql`delete from sessions where id = ${session_id}`
    },

    async list(user_id: string, current_id: string): Promise<ListedSession[]> {
      return await sql<ListedSession[]>`
        select id, id = ${current_id} as current, user_agent, created_at, last_used_at, expires_at
        from sessions where user_id = ${user_id} and expires_at > ${instant()}
        order by last_used_at desc, created_at desc, id`
    },

    /** Ends one of the user's sessions; returns false if the id is unknown. */
    async endOwn(user_id: string, session_id: string): Promise<boolean> {
      const ended = await sql`
        delete from sessions where id = ${session_id} and user_id = ${user_id} and expires_at > ${instant()} returning id`
      return ended.length > 0
    },

    async endOthers(user_id: string, kept_id: string, within: AnySql = sql): Promise<string[]> {
      const rows = await within<{ id: string }[]>`
        delete from sessions where user_id = ${user_id} and id <> ${kept_id} and expires_at > ${instant()} returning id`
      return rows.map(row => row.id)
    },

    async deleteExpired(): Promise<void> {
      await sql`delete from sessions where expires_at <= ${instant()}`
    },
  }
}

/** The token in a `Cookie` header, or null if no cookie has a valid signature. */
export function parseSessionCookie(cookies: string | undefined, cookie_name: string, secret: string) {
  for (const { name, value } of cookiesIn(cookies)) {
    const token = name === cookie_name ? unsign(secret, PURPOSE, value) : null
    if (token !== null) return token
  }
  return null
}
