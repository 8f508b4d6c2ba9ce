// API keys, checked from a cache. A deleted key is refused as soon as `forget` returns.
import type { Scope } from '../../shared/api-key.ts'
import type { Sql } from '../database/connect.ts'
import { RightsCache } from './rights-cache.ts'
import { randomToken, sha256 } from './tokens.ts'

const CACHE_MAX = 10_000
const USE_WRITTEN_EVERY_MS = 60_000
const USES_BATCH_MS = 1_000
const USES_REMEMBERED_MAX = 20_000
const PREFIX = 'cf_'
const KEY_FORM = /^cf_[\w-]{43}$/

export type Key = {
  id: string
  user_id: string
  scope: Scope
  /** The only workspace that the key may reach; null: all of its user's. */
  workspace_id: string | null
  /** Milliseconds since 1970; null: never. */
  expires_at: number | null
}

type KeyRow = Omit<Key, 'expires_at'> & { expires_at: string | null }
export type KeyRing = ReturnType<typeof createKeyRing>

export function newApiKey() {
  const key = PREFIX + randomToken()
  return { key, key_hash: sha256(key), prefix: key.slice(0, 10) }
}

export function bearerKey(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** `now` is the wall clock, for expiry; `elapsed` is monotonic, for the age of cache entries. Both in milliseconds. */
export function createKeyRing(
  sql: Sql,
  { now = Date.now, elapsed = () => performance.now(), cache_max = CACHE_MAX } = {},
) {
  const cache = new RightsCache<Key>({ read, elapsed, max: cache_max })
  const uses = createKeyUses(sql, { now, elapsed })

  /** Returns null if the key is unknown, deleted or expired. A cached key comes without a promise. */
  function check(presented: string): Key | null | Promise<Key | null> {
    if (!KEY_FORM.test(presented)) return null
    const found = cache.find(sha256(presented).toString('base64url'))
    return found instanceof Promise ? found.then(ifValid) : ifValid(found)
  }

  function ifValid(key: Key | null): Key | null {
    if (key === null || (key.expires_at !== null && key.expires_at <= now())) return null
    uses.record(key.id)
    return key
  }

  async function read(hash: string): Promise<Key | null> {
    const [row] = await sql<KeyRow[]>`
      select id, user_id, scope, workspace_id, expires_at
      from api_keys where key_hash = ${Buffer.from(hash, 'base64url')}`
    return row ? { ...row, expires_at: row.expires_at === null ? null : Date.parse(row.expires_at) } : null
  }

  return {
    check,
    /** Call these after the deletion is committed. */
    forget: (key_id: string) => cache.forgetWhere(key => key.id === key_id),
    forgetWorkspace: (workspace_id: string) => cache.forgetWhere(key => key.workspace_id === workspace_id),
    forgetAll: () => cache.forgetWhere(() => true),
    busConnected: (is_connected: boolean) => cache.busConnected(is_connected),
    flush: uses.flush,
  }
}

/** Records when each key was last used, in batches and at most once a minute per key. */
function createKeyUses(sql: Sql, { now, elapsed }: { now: () => number; elapsed: () => number }) {
  const recorded = new Map<string, number>()
  let pending = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function record(key_id: string): void {
    const at = elapsed()
    if (at - (recorded.get(key_id) ?? -Infinity) < USE_WRITTEN_EVERY_MS) return
    if (recorded.size >= USES_REMEMBERED_MAX) recorded.clear()
    recorded.set(key_id, at)
    pending.set(key_id, now())
    timer ??= setTimeout(() => {
      // If the database is unavailable, the batch waits for the next use or the stop.
      flush().catch(() => {})
    }, USES_BATCH_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = pending
    pending = new Map()
    const times = [...batch.values()].map(at => new Date(at).toISOString())
    try {
      // Skips locked rows: waiting for them could deadlock with a deletion.
      await sql`
        with used as (select * from unnest(${[...batch.keys()]}::uuid[], ${times}::timestamptz[]) as u (id, at)),
          free as (select id from api_keys where id in (select id from used) for no key update skip locked)
        update api_keys k set last_used_at = used.at
        from used join free using (id)
        where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`
    } catch (cause) {
      pending = new Map([...batch, ...pending])
      throw cause
    }
  }

  return { record, flush }
}
