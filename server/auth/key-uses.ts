// Records when each key was last used, in batches and at most once a minute per key.
import type { Sql } from '../database/connect.ts'

const WRITE_EVERY_MS = 60_000
const BATCH_MS = 1_000
const REMEMBERED_MAX = 20_000

export function createKeyUses(sql: Sql, { now, elapsed }: { now: () => number; elapsed: () => number }) {
  const recorded = new Map<string, number>()
  let pending = new Map<string, number>()
  let timer: NodeJS.Timeout | undefined

  function record(key_id: string): void {
    const at = elapsed()
    if (at - (recorded.get(key_id) ?? -Infinity) < WRITE_EVERY_MS) return
    if (recorded.size >= REMEMBERED_MAX) recorded.clear()
    recorded.set(key_id, at)
    pending.set(key_id, now())
    timer ??= setTimeout(() => {
      // If the database is unavailable, the batch waits for the next use or the stop.
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
