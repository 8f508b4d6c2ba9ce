// The keys of the public API, checked without a query once known. A deleted key is dead as soon as `forget` returns.
import type { Scope } from '../../shared/api-key.ts'
import type { Sql } from '../database/connect.ts'
import { createKeyUses } from './key-uses.ts'
import { randomToken, sha256 } from './tokens.ts'

const CACHE_MAX = 10_000
/** A second line of defence: deletions are heard of within seconds, and a cached key is read again even so. */
const MAX_AGE_MS = 60_000
const UNTRUSTED_MAX_AGE_MS = 1_000
const PREFIX = 'cf_'
const SHOWN_CHARACTERS = 10
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

type Entry = { key: Key; read_at: number }
/** `outdated`: a key was forgotten while the query ran, so its answer may be older than that. */
type Load = { outdated: boolean; answer: Promise<Key | null> }
export type KeyRing = ReturnType<typeof createKeyRing>

export function newApiKey() {
  const key = PREFIX + randomToken()
  return { key, key_hash: sha256(key), prefix: key.slice(0, SHOWN_CHARACTERS) }
}

/** The key of an `Authorization` header. */
export function bearerKey(header: string | undefined): string | null {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

/** `now` is the wall clock, for expiries; `elapsed` is monotonic, for the age of what was read. */
export function createKeyRing(
  sql: Sql,
  { now = Date.now, elapsed = () => performance.now(), cache_max = CACHE_MAX } = {},
) {
  // Oldest use first, so the first is the one to give up.
  const entries = new Map<string, Entry>()
  const loads = new Map<string, Load>()
  const uses = createKeyUses(sql, { now, elapsed })
  let trusted = true

  /** The living key behind `presented`, at once where it is known; null: unknown, deleted or expired. */
  function check(presented: string): Key | null | Promise<Key | null> {
    if (!KEY_FORM.test(presented)) return null
    const hash = sha256(presented).toString('base64url')
    const entry = entries.get(hash)
    const max_age = trusted ? MAX_AGE_MS : UNTRUSTED_MAX_AGE_MS
    if (!entry || elapsed() - entry.read_at > max_age) return load(hash).then(admit)
    entries.delete(hash)
    entries.set(hash, entry)
    return admit(entry.key)
  }

  function admit(key: Key | null): Key | null {
    if (key === null || (key.expires_at !== null && key.expires_at <= now())) return null
    uses.note(key.id)
    return key
  }

  /** Requests that ask for the same key at the same time share a query. */
  function load(hash: string): Promise<Key | null> {
    const running = loads.get(hash)
    if (running) return running.answer
    const started: Load = { outdated: false, answer: Promise.resolve(null) }
    started.answer = read(hash, started).finally(() => loads.delete(hash))
    loads.set(hash, started)
    return started.answer
  }

  async function read(hash: string, load: Load): Promise<Key | null> {
    let row: (Omit<Key, 'expires_at'> & { expires_at: string | null }) | undefined
    let read_at: number
    do {
      load.outdated = false
      read_at = elapsed()
      ;[row] = await sql<(Omit<Key, 'expires_at'> & { expires_at: string | null })[]>`
        select id, user_id, scope, workspace_id, expires_at
        from api_keys where key_hash = ${Buffer.from(hash, 'base64url')}`
    } while (load.outdated)
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
    for (const load of loads.values()) load.outdated = true
    for (const [hash, entry] of entries) {
      if (applies(entry.key)) entries.delete(hash)
    }
  }

  return {
    check,
    /** Each of these is to be called after the deletion is committed. */
    forget: (key_id: string) => forgetWhere(key => key.id === key_id),
    /** A deleted workspace takes the keys confined to it along. */
    forgetWorkspace: (workspace_id: string) => forgetWhere(key => key.workspace_id === workspace_id),
    forgetAll: () => forgetWhere(() => true),
    /** Whether deletions on other instances are heard of. While not, what is older than a second is read again. */
    trust(hears_of_deletions: boolean): void {
      // What was missed meanwhile is not known.
      if (hears_of_deletions && !trusted) forgetWhere(() => true)
      trusted = hears_of_deletions
    },
    /** Writes the outstanding `last_used_at`. */
    flush: uses.flush,
    /** The last call: no key is checked after it. */
    stop: uses.flush,
  }
}
