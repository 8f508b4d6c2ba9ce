// Identifies the sender of a request or upgrade, by cookies or by an API key.
import type { Viewer } from './access.ts'
import type { Key, KeyRing } from './api-keys.ts'
import type { Sessions } from './sessions.ts'
import { readUnlocks } from './unlocks.ts'

export type Identify = ReturnType<typeof createIdentify>

export function createIdentify(deps: {
  sessions: Sessions
  key_ring: KeyRing
  secret: string
  now: () => number
}) {
  return {
    async byCookies(cookies: string | undefined): Promise<Viewer> {
      const unlocked = readUnlocks(cookies, deps.secret, deps.now())
      const session = await deps.sessions.find(cookies)
      if (!session) return { kind: 'anonymous', unlocked }
      return { kind: 'session', user_id: session.user.id, session_id: session.id, unlocked }
    },

    /** Null if the key is unknown or has ended. */
    async byKey(presented: string): Promise<{ viewer: Viewer; key: Key } | null> {
      const key = await deps.key_ring.check(presented)
      if (!key) return null
      const { id, user_id, workspace_id, scope } = key
      return { viewer: { kind: 'key', key_id: id, user_id, workspace_id, scope }, key }
    },
  }
}
