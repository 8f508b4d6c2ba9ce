// Access changes: triggers write a row for each (migration 016), and every instance polls the rows. So no change is lost,
// even if the instance that made it dies.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { type AccessChange, accessChange } from './bus.ts'

const POLL_MS = 2_000
/** A poll that takes longer may hang on a dead connection, so the next poll doesn't wait for it. */
const POLL_MAX_MS = 5_000
/** A browser whose session was renewed must get its new cookie before its sockets are closed. */
const DELAY_MS = 1_000

type AccessPosition = {
  /** All transactions below this one had ended when the rows were read, so none of their rows is missing. */
  horizon: string
  /** The ids of the rows that were read. Some of them will be read again. */
  read: ReadonlySet<number>
  at: string
}

/**
 * Without `since` it returns no changes, only the present position. `gap`: changes may be missing, because rows were
 * deleted unread, history was lost, or a row is of another version.
 */
export async function readAccessChanges(sql: Sql, since: AccessPosition | null) {
  const [read] = await sql<
    { horizon: string; at: string; gap: boolean; rows: { id: number; change: unknown }[] }[]
  >`
    select snapshot.xmin::text as horizon, now()::text as at,
      coalesce(now() - ${since?.at ?? null}::timestamptz > interval '30 minutes' or snapshot.xmin < since.horizon, false) as gap,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'change', change) order by id), '[]')
        from access_changes where xid >= coalesce(since.horizon, snapshot.xmin)) as rows
    from pg_snapshot_xmin(pg_current_snapshot()) as snapshot (xmin), (select ${since?.horizon ?? null}::xid8) as since (horizon)`
  if (!read) throw new Error('the query always returns a row')
  const { horizon, at, gap, rows } = read
  const unread = rows.filter(({ id }) => since && !since.read.has(id))
  const parsed = unread.map(({ change }) => accessChange.safeParse(change))
  // A PATCH of a workspace may write the same change twice.
  const changes = new Map(parsed.flatMap(({ data }) => (data ? [[JSON.stringify(data), data]] : [])))
  return {
    position: { horizon, at, read: new Set(rows.map(({ id }) => id)) },
    changes: [...changes.values()],
    gap: gap || parsed.some(({ success }) => !success),
  }
}

/** An instance that didn't read the rows within the hour reports a gap. */
export async function deleteOldAccessChanges(sql: Sql): Promise<void> {
  await sql`delete from access_changes where created_at < now() - interval '1 hour'`
}

type FollowOptions = { sql: Sql; changed: (change: AccessChange) => void; gap: () => void; log: Logger }

/** Reports every change within a few seconds. `gap`: all cached and open access must be checked again. */
export async function followAccessChanges({ sql, changed, gap, log }: FollowOptions) {
  let { position } = await readAccessChanges(sql, null)
  const delays = new Set<NodeJS.Timeout>()
  let stopped = false

  async function poll(): Promise<void> {
    const read = await readAccessChanges(sql, position)
    position = read.position
    if (stopped || (!read.gap && read.changes.length === 0)) return
    const delay = setTimeout(() => {
      delays.delete(delay)
      for (const change of read.changes) changed(change)
      if (read.gap) gap()
    }, DELAY_MS)
    delays.add(delay)
  }

  let running: { since: number } | null = null
  const polls = setInterval(() => {
    const started = { since: performance.now() }
    if (running && started.since - running.since < POLL_MAX_MS) return
    running = started
    poll()
      .catch(error => log.debug({ err: error }, 'could not read access changes'))
      .finally(() => {
        if (running === started) running = null
      })
  }, POLL_MS)

  return {
    stop(): void {
      stopped = true
      clearInterval(polls)
      for (const delay of delays) clearTimeout(delay)
    },
  }
}
