// API keys, checked from a cache. A deleted key is refused as soon as `forget` returns.
import type { Scope } from '../../shared/api-key.ts'
import type { Sql } from '../database/connect.ts'
import { randomToken, sha256 } from './tokens.ts'

const CACHE_MAX = 10_000
/** Notices of deletions arrive within seconds; this is a second safeguard. */
const MAX_AGE_MS = 60_000
const DISCONNECTED_MAX_AGE_MS = 1_000
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
  const entries = new Map<string, { key: Key; read_at: number }>()
  const loads = new Map<string, Promise<Key | null>>()
  /** Counts calls of `forget`: if a key is forgotten while a query runs, the query must run again. */
  let forgets = 0
  const uses = createKeyUses(sql, { now, elapsed })
  let connected = true

  /** Returns null if the key is unknown, deleted or expired. A cached key comes without a promise. */
  function check(presented: string): Key | null | Promise<Key | null> {
    if (!KEY_FORM.test(presented)) return null
    const hash = sha256(presented).toString('base64url')
    const entry = entries.get(hash)
    const max_age = connected ? MAX_AGE_MS : DISCONNECTED_MAX_AGE_MS
    if (!entry || elapsed() - entry.read_at > max_age) return load(hash).then(ifValid)
    entries.delete(hash)
    entries.set(hash, entry)
    return ifValid(entry.key)
  }

  function ifValid(key: Key | null): Key | null {
    if (key === null || (key.expires_at !== null && key.expires_at <= now())) return null
    uses.record(key.id)
    return key
  }

  function load(hash: string): Promise<Key | null> {
    const running = loads.get(hash) ?? read(hash).finally(() => loads.delete(hash))
    loads.set(hash, running)
    return running
  }

  async function read(hash: string): Promise<Key | null> {
    let row: KeyRow | undefined
    let read_at: number
    let before: number
    do {
      before = forgets
      read_at = elapsed()
      ;[row] = await sql<KeyRow[]>`
        select id, user_id, scope, workspace_id, expires_at
        from api_keys where key_hash = ${Buffer.from(hash, 'base64url')}`
    } while (forgets !== before)
    entries.delete(hash)
    if (!row) return null
    const key = { ...row, expires_at: row.expires_at === null ? null : Date.parse(row.expires_at) }
    entries.set(hash, { key, read_at })
    for (const oldest of entries.keys()) {
      if (entries.size <= cache_max) break
      entries.delete(oldest)
    }
    return key
  }

  function forgetWhere(applies: (key: Key) => boolean): void {
    forgets++
    for (const [hash, entry] of entries) if (applies(entry.key)) entries.delete(hash)
  }

  return {
    check,
    /** Call these after the deletion is committed. */
    forget: (key_id: string) => forgetWhere(key => key.id === key_id),
    forgetWorkspace: (workspace_id: string) => forgetWhere(key => key.workspace_id === workspace_id),
    forgetAll: () => forgetWhere(() => true),
    /** While the bus is disconnected, deletions on other instances go unnoticed, so cache entries live one second. */
    busConnected(is_connected: boolean): void {
      if (is_connected && !connected) forgetWhere(() => true)
      connected = is_connected
    },
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
