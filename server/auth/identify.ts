// Identifies the sender of a request or upgrade, by cookies or by an API key.
import type { Identity } from './access.ts'
import type { KeyRing } from './api-keys.ts'
import type { Sessions } from './sessions.ts'
import { readUnlocks } from './unlocks.ts'

/** What a socket was opened with. Kept, so that its access can be checked again. */
export type Credentials = { cookies: string | undefined; token: string | null }
/** `expires_at`: when the key expires, in milliseconds since 1970. */
export type Identified = { identity: Identity; expires_at: number | null }
export type Identify = ReturnType<typeof createIdentify>

export function createIdentify(sessions: Sessions, key_ring: KeyRing, secret: string, now: () => number) {
  async function byCookies(cookies: string | undefined): Promise<Identity> {
    const unlocked = readUnlocks(cookies, secret, now())
    const session = await sessions.find(cookies)
    if (!session) return { kind: 'anonymous', unlocked }
    return { kind: 'session', user_id: session.user.id, session_id: session.id, unlocked }
  }

  return {
    byCookies,

    /** Null if the key in `token` is not valid. Without a token, the cookies count. */
    async bySocket({ cookies, token }: Credentials): Promise<Identified | null> {
      if (token === null) return { identity: await byCookies(cookies), expires_at: null }
      const key = await key_ring.check(token)
      if (!key) return null
      const { id: key_id, user_id, workspace_id, expires_at } = key
      return { identity: { kind: 'key', key_id, user_id, workspace_id }, expires_at }
    },
  }
}
