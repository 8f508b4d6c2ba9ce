// Access changes as the database keeps them: triggers write a row for each (migration 016), and every instance polls.
// So they arrive even if the instance that made one died before it told the others, and whatever the bus says of itself.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { type AccessChange, accessChange } from './bus.ts'

const POLL_MS = 2_000
/** A poll that takes longer may hang on a dead connection: the next one doesn't wait for it. */
const POLL_MAX_MS = 5_000
/** A browser whose token was renewed must have its new cookie before its sockets are closed. */
const DELAY_MS = 1_000

/** How far an instance has read. */
export type AccessPosition = {
  /** All transactions below this one had ended when the rows were read, so none of their rows was missed. */
  horizon: string
  /** The rows that were read. Those of later transactions will be read again. */
  read: ReadonlySet<number>
  /** By the database's clock. */
  at: string
}

export type AccessNews = {
  position: AccessPosition
  changes: AccessChange[]
  /** Changes may have been missed: rows were removed unread, the database lost history, or a row can't be understood. */
  gap: boolean
}

/** The position of an instance that has cached nothing yet. */
export async function presentAccess(sql: Sql): Promise<AccessPosition> {
  const [now] = await sql<{ horizon: string; at: string; ids: number[] }[]>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, now()::text as at,
      (select coalesce(jsonb_agg(id), '[]')
        from access_changes where xid >= pg_snapshot_xmin(pg_current_snapshot())) as ids`
  if (!now) throw new Error('a select without a table returns a row')
  const { ids, ...position } = now
  return { ...position, read: new Set(ids) }
}

/** What was committed since. */
export async function readAccessChanges(sql: Sql, since: AccessPosition): Promise<AccessNews> {
  const [news] = await sql<
    { horizon: string; at: string; gap: boolean; rows: { id: number; change: unknown }[] }[]
  >`
    select pg_snapshot_xmin(pg_current_snapshot())::text as horizon, now()::text as at,
      now() - ${since.at}::timestamptz > interval '30 minutes'
        or pg_snapshot_xmin(pg_current_snapshot()) < ${since.horizon}::xid8 as gap,
      (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'change', change) order by id), '[]')
        from access_changes where xid >= ${since.horizon}::xid8) as rows`
  if (!news) throw new Error('a select without a table returns a row')
  const { horizon, at, gap, rows } = news
  const parsed = rows.filter(({ id }) => !since.read.has(id)).map(row => accessChange.safeParse(row.change))
  // A PATCH of a workspace may write the same change twice.
  const changes = new Map(parsed.flatMap(({ data }) => (data ? [[JSON.stringify(data), data]] : [])))
  return {
    position: { horizon, at, read: new Set(rows.map(({ id }) => id)) },
    changes: [...changes.values()],
    gap: gap || parsed.some(({ success }) => !success),
  }
}

/** Removes rows long after every instance has read them. An instance that could not read them notices a gap. */
export async function deleteOldAccessChanges(sql: Sql): Promise<void> {
  await sql`delete from access_changes where created_at < now() - interval '1 hour'`
}

export type FollowOptions = {
  sql: Sql
  changed: (change: AccessChange) => void
  /** Changes may have been missed: caches must be dropped, and everything that is open must be judged again. */
  gap: () => void
  log: Logger
}

/** Passes on every change from now on, within a few seconds. Most were heard through the bus by then. */
export async function followAccessChanges({ sql, changed, gap, log }: FollowOptions) {
  let position = await presentAccess(sql)
  const delays = new Set<NodeJS.Timeout>()
  let stopped = false

  async function poll(): Promise<void> {
    const news = await readAccessChanges(sql, position)
    position = news.position
    if (stopped || (!news.gap && news.changes.length === 0)) return
    const delay = setTimeout(() => {
      delays.delete(delay)
      for (const change of news.changes) changed(change)
      if (news.gap) gap()
    }, DELAY_MS)
    delays.add(delay)
  }

  let running: { since: number } | null = null
  const polls = setInterval(() => {
    const since = performance.now()
    if (running && since - running.since < POLL_MAX_MS) return
    const started = { since }
    running = started
    poll()
      .catch(error => log.debug({ err: error }, 'access changes were not read'))
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
