// Snapshots shorten the log, and load as the document that was written.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/deleted-documents.ts'
import { readDocument } from '../../server/feed/log.ts'
import { until } from '../support/viewer.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { append, insert, rowsOf, useChannel } from './scripted.ts'

const scene = useChannel()
const id = randomUUID()
let channel_id: string
let sql: Sql
let started: ReturnType<typeof scene.start>

beforeEach(async () => {
  channel_id = scene.channel_id
  sql = scene.database.sql
  started = scene.start()
  await started.write(insert(id))
})

afterEach(() => vi.restoreAllMocks())

async function writeTurns(count: number): Promise<string[]> {
  let rows: string[] = []
  for (let i = 0; i < count; i++) rows = rowsOf(await started.write(append(id, String(i))))
  return rows
}

const snapshotSeq = async () => (await readDocument(sql, channel_id))?.snapshot_seq ?? 0

test('a log that outgrows its snapshot gets another one, which loads as the same document', async () => {
  await writeTurns(40)
  await started.write(insert(randomUUID(), 'x'.repeat(30_000)))
  await until(async () => {
    await started.write(insert(randomUUID(), 'x'.repeat(30_000)))
    return (await snapshotSeq()) > 40
  }, 'a snapshot')
  await expectRowsMatchDocument(sql, channel_id)
  expect(rowsOf(await scene.start().write(append(id, 'end')))).toHaveLength(41)
  await expectRowsMatchDocument(sql, channel_id)
})

test('P15: the log of a slow channel gets a snapshot after a few minutes', async () => {
  await writeTurns(70)
  expect(await snapshotSeq()).toBe(0)
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 5 * 60_000)
  await started.write(append(id, 'later'))
  await until(async () => (await snapshotSeq()) > 70, 'a snapshot')
  await expectRowsMatchDocument(sql, channel_id)
})

test('a snapshot prunes only log entries that are older than ten minutes', async () => {
  await writeTurns(20)
  await sql`
    update document_updates set created_at = now() - interval '11 minutes' where seq <= 10`
  await new Promise<void>((resolve, reject) => {
    started.snapshots.request(channel_id, ({ seq }) =>
      seq === 22 ? resolve() : reject(new Error(`at ${seq}`)),
    )
  })
  const [log] = await sql`select min(seq) as first, max(seq) as last from document_updates`
  expect(log).toEqual({ first: 11, last: 22 })
  await expectRowsMatchDocument(sql, channel_id)
  await writeTurns(3)
  await expectRowsMatchDocument(sql, channel_id)
})

test('a snapshot of a deleted channel leaves nothing behind', async () => {
  await writeTurns(5)
  const requested = new Promise(resolve => started.snapshots.request(channel_id, resolve))
  await sql`delete from channels where id = ${channel_id}`
  await requested
  await deleteRowsOfDeletedDocuments(sql)
  for (const table of ['documents', 'document_updates', 'document_snapshots', 'cards']) {
    expect(await sql`select 1 from ${sql(table)}`).toHaveLength(0)
  }
})

test('a log with a gap is an error after a few tries', async () => {
  await writeTurns(3)
  await sql`delete from document_updates where seq = 3`
  await expect(readDocument(sql, channel_id)).rejects.toThrow('has a gap')
})
