// Runs in a worker thread: folds a document's log into its snapshot, off the event loop that serves requests.
// Plain JavaScript, since a worker starts from a file that Node can run as it is.
import { parentPort, workerData } from 'node:worker_threads'
import postgres from 'postgres'
import * as Y from 'yjs'

if (!parentPort) throw new Error('this file runs in a worker')
const port = parentPort

/** @type {{ url: string } | { socket_dir: string, database?: string }} */
const target = workerData.target
/** How long the log reaches back for viewers who return, in seconds. */
const keep_seconds = workerData.keep_seconds

const options = {
  max: 1,
  // The thread ends with its connection: after a while without work, and when the database is cut off.
  idle_timeout: workerData.idle_seconds,
  onclose: () => process.exit(),
  onnotice: () => {},
  connection: { application_name: 'channel-feed-snapshots' },
}
const sql =
  'url' in target
    ? postgres(target.url, options)
    : postgres({
        ...options,
        host: target.socket_dir,
        port: 5432,
        user: 'app',
        database: target.database ?? 'postgres',
        ssl: false,
      })

/** One after another: each holds a whole document in memory. */
let line = Promise.resolve()

port.on('message', (/** @type {string | null} */ channel_id) => {
  line = line.then(() => (channel_id === null ? process.exit() : answer(channel_id)))
})

/** @param {string} channel_id */
async function answer(channel_id) {
  try {
    port.postMessage({ channel_id, ...(await takeSnapshot(channel_id)) })
  } catch (error) {
    port.postMessage({ channel_id, error: error instanceof Error ? error.message : String(error) })
  }
}

/** @param {string} channel_id */
async function takeSnapshot(channel_id) {
  const [head] = await sql`
    select d.epoch, d.seq::integer as seq, d.clock::float8 as clock, coalesce(s.seq, 0)::integer as snapshot_seq, s.state
    from documents d left join document_snapshots s on s.channel_id = d.channel_id and s.epoch = d.epoch
    where d.channel_id = ${channel_id}`
  if (!head) return { seq: 0, bytes: 0 }
  if (head.snapshot_seq >= head.seq) {
    await sql.begin(tx => prune(tx, channel_id, head))
    return { seq: head.seq, bytes: head.state?.length ?? 0 }
  }
  const tail = await sql`
    select update from document_updates
    where channel_id = ${channel_id} and epoch = ${head.epoch} and seq > ${head.snapshot_seq} and seq <= ${head.seq}
    order by seq`
  const doc = new Y.Doc()
  doc.transact(() => {
    if (head.state) Y.applyUpdate(doc, head.state)
    for (const { update } of tail) Y.applyUpdate(doc, update)
  })
  const state = Y.encodeStateAsUpdate(doc)
  const clocks = [...Y.decodeStateVector(Y.encodeStateVector(doc)).values()]
  doc.destroy()
  // A tail with a hole would make a snapshot with a hole: better none.
  if (clocks.length !== 1 || clocks[0] !== head.clock) throw new Error('the log and the document disagree')
  await sql.begin(async tx => {
    const [current] = await tx`select epoch from documents where channel_id = ${channel_id} for update`
    if (current?.epoch !== head.epoch) return
    await tx`
      insert into document_snapshots (channel_id, epoch, seq, clock, state)
      values (${channel_id}, ${head.epoch}, ${head.seq}, ${head.clock}, ${state})
      on conflict (channel_id) do update set epoch = excluded.epoch, seq = excluded.seq,
        clock = excluded.clock, state = excluded.state
        where document_snapshots.epoch <> excluded.epoch or document_snapshots.seq < excluded.seq`
    await prune(tx, channel_id, head)
  })
  return { seq: head.seq, bytes: state.length }
}

/**
 * Lets go of what the snapshot holds and nobody comes back for. While an older entry remains of a log that
 * holds what was deleted, it is to be pruned again.
 * @param {postgres.TransactionSql} tx
 * @param {string} channel_id
 * @param {postgres.Row} head
 */
async function prune(tx, channel_id, { epoch, seq }) {
  await tx`
    delete from document_updates where channel_id = ${channel_id} and (epoch < ${epoch} or seq <= ${seq})
      and created_at < now() - ${keep_seconds} * interval '1 second'`
  await tx`
    update documents set prune_at = case
      when exists (select from document_updates where channel_id = ${channel_id})
      then now() + ${keep_seconds} * interval '1 second' end
    where channel_id = ${channel_id} and prune_at < now()`
}
