// Snapshots shorten the log, and load as the document that was written.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readDocument } from '../../server/feed/log.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { until } from '../support/viewer.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { append, createFeedRows, insert, rowsOf, startFeed } from './scripted.ts'

let database: TestDatabase
let owner_id: string
let channel_id: string
let started: ReturnType<typeof startFeed>

beforeEach(async () => {
  database = await createTestDatabase()
  const rows = await createFeedRows(database.sql)
  owner_id = rows.user_id
  channel_id = rows.channel_id
  started = startFeed(database, channel_id)
})
afterEach(async () => {
  await started.snapshots.stop()
  await database.drop()
})

const id = randomUUID()

async function writeTurns(count: number): Promise<string[]> {
  let rows: string[] = []
  for (let i = 0; i < count; i++)
    rows = rowsOf(await started.feed.writer.write({ mutation: append(id, String(i)), owner_id }))
  return rows
}

const snapshotSeq = async () => (await readDocument(database.sql, channel_id))?.snapshot_seq ?? 0

test('after 64 turns a snapshot is written, and loads as the same document', async () => {
  await started.feed.writer.write({ mutation: insert(id), owner_id })
  await writeTurns(90)
  await until(async () => (await snapshotSeq()) >= 64, 'a snapshot')
  await expectRowsMatchDocument(database.sql, channel_id)
  const other = startFeed(database, channel_id)
  expect(rowsOf(await other.feed.writer.write({ mutation: append(id, 'end'), owner_id }))).toHaveLength(91)
  await other.snapshots.stop()
  await expectRowsMatchDocument(database.sql, channel_id)
})

test('a snapshot prunes only log entries that are older than ten minutes', async () => {
  await started.feed.writer.write({ mutation: insert(id), owner_id })
  await writeTurns(20)
  await database.sql`
    update document_updates set created_at = now() - interval '11 minutes' where seq <= 10`
  await new Promise<void>((resolve, reject) => {
    started.snapshots.request(channel_id, ({ seq }) =>
      seq === 22 ? resolve() : reject(new Error(`at ${seq}`)),
    )
  })
  const [log] = await database.sql`select min(seq) as first, max(seq) as last from document_updates`
  expect(log).toEqual({ first: 11, last: 22 })
  await expectRowsMatchDocument(database.sql, channel_id)
  await writeTurns(3)
  await expectRowsMatchDocument(database.sql, channel_id)
})

test('a snapshot of a deleted channel leaves nothing behind', async () => {
  await started.feed.writer.write({ mutation: insert(id), owner_id })
  await writeTurns(5)
  const asked = new Promise(resolve => started.snapshots.request(channel_id, resolve))
  await database.sql`delete from channels where id = ${channel_id}`
  await asked
  for (const table of ['documents', 'document_updates', 'document_snapshots', 'cards']) {
    expect(await database.sql`select 1 from ${database.sql(table)}`).toHaveLength(0)
  }
})

test('a log with a gap is an error after a few attempts', async () => {
  await started.feed.writer.write({ mutation: insert(id), owner_id })
  await writeTurns(3)
  await database.sql`delete from document_updates where seq = 3`
  await expect(readDocument(database.sql, channel_id)).rejects.toThrow('has a gap')
})
