// Snapshots shorten the log, and load as the document that was written.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Sql } from '../../server/database/connect.ts'
import { LiveDocument } from '../../server/feed/document/live-document.ts'
import { ChannelDocument } from '../../server/feed/log/channel-document.ts'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/log/deleted-documents.ts'
import { beginEpoch } from '../../server/feed/log/epochs.ts'
import { readStoredDocument } from '../../server/feed/log/log.ts'
import { writeSnapshot } from '../../server/feed/log/snapshot-store.js'
import { LIVE_MAX_BYTES } from '../../shared/limits.ts'
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

const snapshotSeq = async () => (await readStoredDocument(sql, channel_id))?.snapshot_seq ?? 0

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

describe('a document of large cards', () => {
  /** Writes 60 KB each, as a release would that neither archives by size nor takes snapshots of large documents. */
  async function fill(cards: number): Promise<void> {
    const mocks = [
      vi.spyOn(LiveDocument.prototype, 'oldestThatFits').mockReturnValue(null),
      vi.spyOn(ChannelDocument.prototype, 'takeSnapshotIfDue').mockImplementation(() => {}),
    ]
    const write = () => started.write(insert(randomUUID(), 'x'.repeat(60_000)))
    await Promise.all(Array.from({ length: cards }, write))
    for (const mock of mocks) mock.mockRestore()
  }

  const logBytes = async () => {
    const [log] = await sql<{ bytes: number }[]>`
      select sum(octet_length(update))::integer as bytes from document_updates`
    return log?.bytes ?? 0
  }

  test('a document of large cards is small after its next turn and a snapshot, and its log is pruned', async () => {
    await fill(96)
    expect(await logBytes()).toBeGreaterThan(LIVE_MAX_BYTES)
    await sql`update document_updates set created_at = now() - interval '11 minutes'`
    const late = scene.start()
    expect((await late.feed.place()).oldest_page).toBe(0)
    await late.write(insert(randomUUID()))
    expect((await late.feed.place()).oldest_page).toBe(1)
    await until(async () => (await logBytes()) < 10_000, 'a short log')
    expect(await snapshotSeq()).toBeGreaterThan(0)
    await expectRowsMatchDocument(sql, channel_id)
  })

  test('a document of large cards begins a new epoch with the pages that fit', async () => {
    await fill(96)
    await beginEpoch(sql, channel_id, { epoch: 0 }, started.deps.history.current)
    const late = scene.start()
    expect(await late.feed.place()).toMatchObject({ epoch: 1, oldest_page: 1 })
    await expectRowsMatchDocument(sql, channel_id)
  })

  test('a document of large cards gets a snapshot when it leaves memory, if the log has outgrown the last one', async () => {
    const { feed, deps } = started
    await fill(25)
    const { update } = await feed.state()
    if (!feed.log_head) throw new Error('a document that was read has a head')
    await writeSnapshot(sql, channel_id, feed.log_head, update, deps.history.current)
    const before = await snapshotSeq()
    await fill(30)
    const late = scene.start()
    await late.feed.place()
    late.feed.document.unload()
    await until(async () => (await snapshotSeq()) > before, 'a newer snapshot')
    await expectRowsMatchDocument(sql, channel_id)
  })
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
  await expect(readStoredDocument(sql, channel_id)).rejects.toThrow('has a gap')
})
