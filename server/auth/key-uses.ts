// When each key was last used, written in batches and at most once a minute per key: a busy key costs no writes.
import type { Sql } from '../database/connect.ts'

const WRITE_EVERY_MS = 60_000
const BATCH_MS = 1_000
const REMEMBERED_MAX = 20_000

export function createKeyUses(sql: Sql, { now, elapsed }: { now: () => number; elapsed: () => number }) {
  const noted = new Map<string, number>()
  let pending = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function note(key_id: string): void {
    const at = elapsed()
    const before = noted.get(key_id)
    if (before !== undefined && at - before < WRITE_EVERY_MS) return
    // Forgetting early costs a write more, nothing else.
    if (noted.size >= REMEMBERED_MAX) noted.clear()
    noted.set(key_id, at)
    pending.set(key_id, now())
    timer ??= setTimeout(() => {
      // The database is away: the batch waits for the next use, or the stop.
      flush().catch(() => {})
    }, BATCH_MS).unref()
  }

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = pending
    pending = new Map()
    const times = [...batch.values()].map(at => new Date(at).toISOString())
    try {
      // A row that is locked is being written or deleted elsewhere; waiting for it could end in a deadlock.
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

  return { note, flush }
}
