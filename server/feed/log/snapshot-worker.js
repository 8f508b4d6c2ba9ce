// A worker thread that merges logs into snapshots. Plain JavaScript, because Node starts a worker without a compiler.
import { parentPort, workerData } from 'node:worker_threads'
import postgres from 'postgres'
import * as Y from 'yjs'
import { readConnectionUrl } from '../../database/connection-url.js'
import { valueTypes } from '../../database/value-types.js'
import { KEEP_SECONDS, pruneLog, writeSnapshot } from './snapshot-store.js'

if (!parentPort) throw new Error('this file runs in a worker')
const port = parentPort

/** @type {{ url: string, pooled?: boolean } | { socket_dir: string, database?: string }} */
const target = workerData.target

const options = {
  max: 1,
  // The thread ends with its connection: when it is idle, and when the database cuts it off.
  idle_timeout: workerData.idle_seconds,
  onclose: () => process.exit(),
  onnotice: () => {},
  types: valueTypes,
  fetch_types: false,
  connection: { application_name: 'channel-feed-snapshots' },
}
/** @type {ReturnType<typeof readConnectionUrl>} */
const address =
  'url' in target
    ? { ...readConnectionUrl(target.url), ...(target.pooled && { prepare: false }) }
    : {
        host: target.socket_dir,
        port: 5432,
        user: 'app',
        database: target.database ?? 'postgres',
        ssl: false,
      }
const sql = postgres({
  ...address,
  ...options,
  connection: { ...address.connection, ...options.connection },
})

/** One document at a time, because each needs memory as a whole. */
let last = Promise.resolve()

port.on('message', (/** @type {string | null} */ channel_id) => {
  last = last
    .then(() => (channel_id === null ? process.exit() : takeSnapshot(channel_id)))
    .catch(error => ({ error: error instanceof Error ? error.message : String(error) }))
    .then(report => port.postMessage({ channel_id, ...report }))
})

/** @param {string} channel_id */
async function takeSnapshot(channel_id) {
  const [head] = await sql`
    select d.epoch, d.client_id::float8 as client_id, d.seq::integer as seq, d.clock::float8 as clock,
      coalesce(s.seq, 0)::integer as snapshot_seq, s.state
    from documents d left join document_snapshots s on s.channel_id = d.channel_id and s.epoch = d.epoch
    where d.channel_id = ${channel_id}`
  if (!head) return { seq: 0, bytes: 0 }
  const { epoch, client_id, seq, clock } = head
  let state = head.state
  if (head.snapshot_seq < seq) {
    state = await encodeDocument(channel_id, head)
    await writeSnapshot(sql, channel_id, { epoch, client_id, seq, clock }, state, null)
  }
  await pruneLog(sql, channel_id, { epoch, seq }, null)
  // A log that contains deleted cards is pruned again until none of its old entries remain.
  await sql`
    update documents set prune_at = case
      when exists (select from document_updates where channel_id = ${channel_id})
      then now() + ${KEEP_SECONDS} * interval '1 second' end
    where channel_id = ${channel_id} and prune_at < now()`
  return { seq, bytes: state?.length ?? 0 }
}

/**
 * @param {string} channel_id
 * @param {postgres.Row} head
 */
async function encodeDocument(channel_id, head) {
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
  // A tail with a gap would make a snapshot with a gap.
  if (clocks.length !== 1 || clocks[0] !== head.clock) throw new Error('the log and the document disagree')
  return state
}
