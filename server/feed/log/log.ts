// Reads the log. append-turns.ts appends to it, epochs.ts begins it, and snapshot-store.js prunes it.
import type { Sql } from '../../database/connect.ts'
import { selectUpTo } from '../../database/select-up-to.ts'

/** The row of a document. `clock` is its Yjs clock after turn `seq`. */
export type LogHead = {
  epoch: number
  client_id: number
  generation: number
  seq: number
  clock: number
  next_position: number
  card_count: number
  /** While in the future, turns are logged with their events. */
  events_until: string | null
}

export type LogEnd = Pick<LogHead, 'epoch' | 'seq' | 'clock'>

export type LoggedUpdate = { seq: number; clock: number; update: Uint8Array }

/** A viewer that lacks more turns than this gets the whole document. */
const TAIL_MAX = 64
/** An instance that follows the log reads so much of it at once. */
const TAIL_READ_BYTES = 4 * 1024 * 1024
/** A snapshot may prune the log while a document is read. After this many tries, the log itself has a gap. */
const READ_TRIES = 10

export async function readLogHead(sql: Sql, channel_id: string): Promise<LogHead | null> {
  const [head] = await sql<LogHead[]>`
    select epoch, client_id, generation, seq, clock, next_position, card_count, events_until
    from documents where channel_id = ${channel_id}`
  return head ?? null
}

export function readLogEnds(sql: Sql, channel_ids: string[]): Promise<({ channel_id: string } & LogEnd)[]> {
  return sql<({ channel_id: string } & LogEnd)[]>`
    select channel_id, epoch, seq, clock from documents where channel_id = any(${channel_ids}::uuid[])`
}

/** null if the channel was deleted. `updates`: the snapshot, if there is one, and the log after it, oldest first. */
export async function readStoredDocument(sql: Sql, channel_id: string) {
  for (let tries = 0; tries < READ_TRIES; tries++) {
    const [stored] = await sql<(LogHead & { snapshot_seq: number | null; state: Uint8Array | null })[]>`
      select d.epoch, d.client_id, d.generation, d.seq, d.clock, d.next_position, d.card_count, d.events_until,
        s.seq as snapshot_seq, s.state
      from documents d
      left join document_snapshots s on s.channel_id = d.channel_id and s.epoch = d.epoch
      where d.channel_id = ${channel_id}`
    if (!stored) return null
    const { state, snapshot_seq: from, ...head } = stored
    const snapshot_seq = from ?? 0
    const tail = await sql<{ update: Uint8Array }[]>`
      select update from document_updates
      where channel_id = ${channel_id} and epoch = ${head.epoch} and seq > ${snapshot_seq} and seq <= ${head.seq}
      order by seq`
    const updates = tail.map(({ update }) => update)
    // A newer snapshot may have pruned the tail since the first query.
    const first = from === null ? await firstSeq(sql, channel_id, head.epoch) : snapshot_seq + 1
    if (updates.length !== head.seq - first + 1) continue
    if (state) updates.unshift(state)
    return { ...head, updates, snapshot_seq, snapshot_bytes: state?.length ?? 0 }
  }
  throw new Error(`the log of channel ${channel_id} has a gap`)
}

async function firstSeq(sql: Sql, channel_id: string, epoch: number): Promise<number> {
  const [row] = await sql<{ first: number }[]>`
    select min(seq) as first from document_updates where channel_id = ${channel_id} and epoch = ${epoch}`
  return row?.first ?? 1
}

/** The log after `seq`, at most up to `last`. The turn that reaches TAIL_READ_BYTES is the last. Stops before a gap. */
export async function readTail(
  sql: Sql,
  channel_id: string,
  { epoch, seq }: LogHead,
  last: number,
): Promise<LoggedUpdate[]> {
  const { rows } = await selectUpTo<LoggedUpdate>(
    sql,
    sql`
      select seq, clock, update from document_updates
      where channel_id = ${channel_id} and epoch = ${epoch} and seq > ${seq}`,
    { bytes: sql`octet_length(update)`, order: sql`seq`, limit: last - seq, max_bytes: TAIL_READ_BYTES },
  )
  return rows.filter((row, i) => row.seq === seq + 1 + i)
}

/** The updates that a viewer at `clock` lacks; null if the log doesn't reach back to it, or if they are too long. */
export async function readTailFromClock(
  sql: Sql,
  channel_id: string,
  head: LogHead,
  clock: number,
  max_bytes: number,
): Promise<Uint8Array[] | null> {
  // The turn at `clock` itself only proves that the log reaches back.
  const rows = await sql<{ clock: number; update: Uint8Array | null }[]>`
    select clock, case when clock > ${clock} then update end as update from (
      select seq, clock, update, sum(octet_length(update)) over (
        order by seq desc rows between unbounded preceding and 1 preceding
      ) as bytes_after
      from document_updates
      where channel_id = ${channel_id} and epoch = ${head.epoch} and clock >= ${clock} and seq <= ${head.seq}
        and seq > ${head.seq - TAIL_MAX - 1}
    ) tail
    where coalesce(bytes_after, 0) <= ${max_bytes}
    order by seq`
  if (rows[0]?.clock !== clock) return null
  return rows.flatMap(({ update }) => update ?? [])
}

/** Channels whose log contains cards that were deleted more than ten minutes ago. */
export async function logsToPrune(sql: Sql): Promise<string[]> {
  const rows = await sql<{ channel_id: string }[]>`
    select channel_id from documents where prune_at < now() order by prune_at limit 100`
  return rows.map(({ channel_id }) => channel_id)
}
