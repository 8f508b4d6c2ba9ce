// Writes snapshots and prunes the log behind them. Plain JavaScript, because the snapshot worker imports it too.

/** How long the log keeps its entries for viewers and event streams that return. */
export const KEEP_SECONDS = 600

/**
 * Stores `state`, the document at `head`, unless a newer snapshot exists or a new epoch has begun.
 * @param {import('postgres').Sql<any>} sql
 * @param {string} channel_id
 * @param {{ epoch: number, client_id: number, seq: number, clock: number }} head
 * @param {Uint8Array} state
 * @param {import('./history.ts').HistoryIdentity | null} history where `head` was read; null: on this connection
 */
export async function writeSnapshot(sql, channel_id, { epoch, client_id, seq, clock }, state, history) {
  const same = history
    ? sql`and generation >= ${history.generation} and in_history(${history.identity}, ${history.generation})`
    : sql``
  // The lock excludes a deletion and a new epoch, and allows appends. Waiting for it would occupy a connection, so no
  // snapshot is written while one of the two is running.
  await sql`
    with document as (
      select from documents
      where channel_id = ${channel_id} and epoch = ${epoch} and client_id = ${client_id} and seq >= ${seq} ${same}
      for key share skip locked
    )
    insert into document_snapshots as stored (channel_id, epoch, seq, clock, state)
    select ${channel_id}, ${epoch}, ${seq}, ${clock}, ${state} from document
    on conflict (channel_id) do update
      set epoch = excluded.epoch, seq = excluded.seq, clock = excluded.clock, state = excluded.state
      where stored.epoch <> excluded.epoch or stored.seq < excluded.seq`
}

/**
 * Deletes old log entries that a snapshot at `head` or later contains.
 * @param {import('postgres').Sql<any>} sql
 * @param {string} channel_id
 * @param {{ epoch: number, seq: number }} head
 * @param {number | null} max about how many entries to delete; null: no limit
 */
export async function pruneLog(sql, channel_id, { epoch, seq }, max) {
  // Old epochs come first: seq continues to rise in a new epoch.
  await sql`
    delete from document_updates
    where channel_id = ${channel_id} and (epoch, seq) <= (${epoch}, least(${seq}, ${max}::bigint + (
        select seq from document_updates where channel_id = ${channel_id} order by epoch, seq limit 1)))
      and created_at < now() - ${KEEP_SECONDS} * interval '1 second' and exists (
        select from document_snapshots where channel_id = ${channel_id} and epoch = ${epoch} and seq >= ${seq})`
}
