// Identifies the sender of a request or upgrade, by cookies or by an API key.
import type { Identity } from './access.ts'
import type { KeyRing } from './api-keys.ts'
import type { Session, Sessions } from './sessions.ts'
import { readUnlocks } from './unlocks.ts'

/** What a socket was opened with. Kept, so that its access can be checked again. */
export type Credentials = { cookies: string | undefined; token: string | null }
/** `expires_at`: when the key expires, in milliseconds since 1970. */
export type Identified = { identity: Identity; expires_at: number | null }
export type Identify = ReturnType<typeof createIdentify>

export function createIdentify(sessions: Sessions, key_ring: KeyRing, secret: string, now: () => number) {
  function identityOf(cookies: string | undefined, session: Session | null): Identity {
    const unlocked = readUnlocks(cookies, secret, now())
    if (!session) return { kind: 'anonymous', unlocked }
    return { kind: 'session', user_id: session.user.id, session_id: session.id, unlocked }
  }

  async function byKey(token: string): Promise<Identified | null> {
    const key = await key_ring.check(token)
    if (!key) return null
    const { id: key_id, user_id, workspace_id, expires_at } = key
    return { identity: { kind: 'key', key_id, user_id, workspace_id }, expires_at }
  }

  const byCookies = async (cookies: string | undefined) => identityOf(cookies, await sessions.find(cookies))

  return {
    byCookies,

    /** Null if the key in `token` is not valid. Without a token, the cookies count. */
    async bySocket({ cookies, token }: Credentials): Promise<Identified | null> {
      return token === null ? { identity: await byCookies(cookies), expires_at: null } : byKey(token)
    },

    /** The same for many sockets, with one query for all sessions, and at most one at a time for keys. */
    async bySockets(all: Credentials[]): Promise<(Identified | null)[]> {
      const found = await sessions.findAll(
        all.map(({ cookies, token }) => (token === null ? cookies : undefined)),
      )
      const keys = new Map<string, Identified | null>()
      for (const { token } of all) if (token !== null && !keys.has(token)) keys.set(token, await byKey(token))
      return all.map(({ cookies, token }, i) =>
        token === null
          ? { identity: identityOf(cookies, found[i] ?? null), expires_at: null }
          : (keys.get(token) ?? null),
      )
    },
  }
}
