// P11 and P2 in one channel: a log other than the one that viewers got, and commits of unknown outcome across epochs.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/log/deleted-documents.ts'
import { beginEpoch } from '../../server/feed/log/epochs.ts'
import { logsToPrune } from '../../server/feed/log/log.ts'
import { pruneLog, writeSnapshot } from '../../server/feed/log/snapshot-store.js'
import type { CommitResult } from '../../server/feed/log/turn.ts'
import type { Block } from '../../shared/block.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { append, historyOf, insert, rowsOf, useChannel } from './scripted.ts'

const scene = useChannel()
let sql: Sql
let channel_id: string

beforeEach(() => {
  sql = scene.database.sql
  channel_id = scene.channel_id
})
afterEach(() => expectRowsMatchDocument(sql, channel_id))

const TABLES = ['documents', 'document_updates', 'cards']

/** Returns a function that restores the present storage on the same timeline. */
async function saveStorage(): Promise<() => Promise<void>> {
  for (const table of TABLES) await sql.unsafe(`create table saved_${table} as table ${table}`)
  return async () => {
    await sql`delete from documents`
    await deleteRowsOfDeletedDocuments(sql)
    for (const table of TABLES) await sql.unsafe(`insert into ${table} table saved_${table}`)
  }
}

const { start } = scene
const post = ({ write }: ReturnType<typeof start>, blocks = insert().blocks) => write({ ...insert(), blocks })

/** A card of another size than `post` creates, so that the document's clock differs. */
const divider: Block = { type: 'divider', id: 'line' }

test.each([
  ['ends before them', 0],
  ['ends in their place', 2],
  ['goes on after them', 4],
])(
  'a log that lacks two turns and %s begins a new epoch, and is never applied on top of them',
  async (_, cards) => {
    const [here, there] = [start(), start()]
    await post(here)
    const goBack = await saveStorage()
    await post(here)
    await post(here)
    await goBack()
    for (let i = 0; i < cards; i++) await post(there, [divider])
    await here.feed.refresh()
    expect(here.feed.log_head).toMatchObject({ epoch: 1, generation: 2 })
    const page = await here.feed.livePage(0)
    expect(page?.cards.map(({ blocks }) => blocks.length)).toEqual([2, ...Array(cards).fill(1)])
  },
)

test('a turn made on a replaced log is made again on the present log', async () => {
  const [here, there] = [start(), start()]
  await post(here)
  const goBack = await saveStorage()
  await post(here)
  await goBack()
  // The log has as many turns as the writer knows, with other content.
  await post(there, [divider])
  expect(await post(here)).toMatchObject({ kind: 'inserted' })
  expect(here.feed.log_head).toMatchObject({ epoch: 1, card_count: 3 })
})

test('a turn is never appended to another database', async () => {
  await post(start())
  const here = start({ history: { identity: 'another database', generation: 1 } })
  await here.feed.refresh()
  const results: string[] = []
  here.commits.script.push(async commit => {
    const result = await commit()
    results.push(result.kind)
    return result
  })
  expect(await post(here)).toMatchObject({ kind: 'inserted' })
  expect(results).toEqual(['history'])
  expect(here.deps.history.losses).toBe(1)
  expect(here.feed.log_head).toMatchObject({ epoch: 1, generation: 2, card_count: 2 })
})

test('if several instances notice lost history, only one raises the generation', async () => {
  const instances = [start(), start(), start()]
  await sql`update database_generation set system_identifier = 'restored'`
  await Promise.all(instances.map(({ deps }) => deps.history.check()))
  for (const { deps } of instances) expect(deps.history.current.generation).toBe(2)
})

/** The commit succeeds without a response, and then another instance begins a new epoch. */
const unknownBeforeNewEpoch = async (commit: () => Promise<CommitResult>): Promise<CommitResult> => {
  await commit()
  await beginEpoch(sql, channel_id, { epoch: 0 }, historyOf(scene.database))
  return { kind: 'unknown' }
}

test('P2: a mutation whose commit succeeded without a response is not repeated, even in a new epoch', async () => {
  const { write, commits } = start()
  const id = randomUUID()
  await write(insert(id))
  commits.script.push(unknownBeforeNewEpoch)
  expect(rowsOf(await write(append(id, 'once')))).toEqual(['once'])
  expect(rowsOf(await write(append(id, 'twice')))).toEqual(['once', 'twice'])
})

const logged = async () =>
  (await sql<{ epoch: number }[]>`select epoch from document_updates order by epoch, seq`).map(
    ({ epoch }) => epoch,
  )

/** Everything in the log happened more than ten minutes ago. */
async function passTenMinutes(): Promise<void> {
  await sql`update document_updates set created_at = created_at - interval '10 minutes'`
  await sql`update documents set prune_at = prune_at - interval '10 minutes'`
}

test('an old epoch’s turns leave the log after ten minutes, even in a quiet channel', async () => {
  const here = start()
  await post(here)
  await beginEpoch(sql, channel_id, { epoch: 0 }, historyOf(scene.database))
  expect(await logged()).toEqual([0, 0, 1])
  await passTenMinutes()
  expect(await logsToPrune(sql)).toEqual([channel_id])
  here.snapshots.request(channel_id, () => {})
  await expect.poll(logged).toEqual([])
})

test('an old epoch’s turns leave the log with a snapshot of the new epoch, or with the next epoch', async () => {
  const here = start()
  await post(here)
  const takeSnapshot = async () => {
    const { update } = await here.feed.state()
    const { log_head: head } = here.feed
    if (!head) throw new Error('the feed knows its head')
    await writeSnapshot(sql, channel_id, head, update, historyOf(scene.database))
    await pruneLog(sql, channel_id, head, null)
  }
  await beginEpoch(sql, channel_id, { epoch: 0 }, historyOf(scene.database))
  await passTenMinutes()
  // The head is of the old epoch: no snapshot is written, so nothing may be pruned.
  await takeSnapshot()
  expect(await logged()).toEqual([0, 0, 1])
  await here.feed.refresh()
  await takeSnapshot()
  expect(await logged()).toEqual([])
  await post(here)
  await beginEpoch(sql, channel_id, { epoch: 1 }, historyOf(scene.database))
  expect(await logged()).toEqual([1, 2])
  await passTenMinutes()
  await beginEpoch(sql, channel_id, { epoch: 2 }, historyOf(scene.database))
  expect(await logged()).toEqual([3])
})
