// What happens to mutations when the commit of their turn is lost, cut off or rejected.
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CommitResult } from '../../server/feed/turn.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { append, createFeedRows, insert, rowsOf, startFeed } from './scripted.ts'

let database: TestDatabase
let owner_id: string
let channel_id: string
const feeds: ReturnType<typeof startFeed>[] = []

beforeEach(async () => {
  database = await createTestDatabase()
  const rows = await createFeedRows(database.sql)
  owner_id = rows.user_id
  channel_id = rows.channel_id
})
afterEach(async () => {
  await expectRowsMatchDocument(database.sql, channel_id)
  for (const { snapshots } of feeds.splice(0)) await snapshots.stop()
  await database.drop()
})

function start(limit: number | null = null) {
  const started = startFeed(database, channel_id, { limit })
  feeds.push(started)
  return started
}

/** The commit succeeds, and its response is cut off. */
const succeedsUnknown = async (commit: () => Promise<CommitResult>): Promise<CommitResult> => {
  await commit()
  return { kind: 'unknown' }
}

test('a mutation whose commit succeeded without a response is found in the log, and not repeated', async () => {
  const { feed, commits } = start()
  const id = randomUUID()
  commits.script.push(succeedsUnknown)
  expect(await feed.writer.write({ mutation: insert(id), owner_id })).toMatchObject({
    kind: 'inserted',
    card: { id },
  })
  commits.script.push(succeedsUnknown)
  expect(rowsOf(await feed.writer.write({ mutation: append(id, 'once'), owner_id }))).toEqual(['once'])
  expect(rowsOf(await feed.writer.write({ mutation: append(id, 'twice'), owner_id }))).toEqual([
    'once',
    'twice',
  ])
  commits.script.push(succeedsUnknown)
  expect(await feed.writer.write({ mutation: { kind: 'delete', ref: { id } }, owner_id })).toMatchObject({
    kind: 'deleted',
  })
  expect(commits.count).toBe(4)
})

test('a mutation whose commit was cut off is tried again', async () => {
  const { feed, commits } = start()
  commits.script.push(async () => ({ kind: 'unknown' }))
  expect(await feed.writer.write({ mutation: insert(), owner_id })).toMatchObject({ kind: 'inserted' })
  expect(feed.head).toMatchObject({ seq: 2, card_count: 1 })
})

test('a lost turn whose refresh is cut off is repeated once, not twice', async () => {
  const { feed, commits, failNext } = start()
  const id = randomUUID()
  await feed.writer.write({ mutation: insert(id), owner_id })
  commits.script.push(async () => {
    failNext(1)
    return { kind: 'lost' }
  })
  const both = await Promise.all([
    feed.writer.write({ mutation: append(id, 'a'), owner_id }),
    feed.writer.write({ mutation: append(id, 'b'), owner_id }),
  ])
  expect(rowsOf(both[1])).toEqual(['a', 'b'])
  expect(rowsOf(await feed.writer.write({ mutation: append(id, 'c'), owner_id }))).toEqual(['a', 'b', 'c'])
})

test('mutations that wait for a locked channel are made once and in order', async () => {
  const { feed } = start()
  const ids = Array.from({ length: 5 }, () => randomUUID())
  await feed.writer.write({ mutation: insert(), owner_id })
  const letGo = await holdLocks(
    database,
    sql => sql`select from documents where channel_id = ${channel_id} for update`,
  )
  const writes = ids.slice(0, 2).map(id => feed.writer.write({ mutation: insert(id), owner_id }))
  await expect.poll(() => countLockWaits(database.sql)).toBe(1)
  writes.push(...ids.slice(2).map(id => feed.writer.write({ mutation: insert(id), owner_id })))
  await letGo()
  expect(await Promise.all(writes)).toMatchObject(ids.map(id => ({ kind: 'inserted', card: { id } })))
  const stored = await database.sql<{ id: string }[]>`
    select id from cards where channel_id = ${channel_id} and position > 0 order by position`
  expect(stored.map(({ id }) => id)).toEqual(ids)
})

test('the error of one mutation does not fail others of its turn', async () => {
  const { feed } = start()
  const wrong = feed.writer.write({
    mutation: { kind: 'head', change: () => ({ name: 'Never' }) },
    owner_id,
    also: () => Promise.reject(new Error('no such row')),
  })
  const [one, two] = [
    feed.writer.write({ mutation: insert(), owner_id }),
    feed.writer.write({ mutation: insert(), owner_id }),
  ]
  await expect(wrong).rejects.toThrow('no such row')
  expect(await one).toMatchObject({ kind: 'inserted' })
  expect(await two).toMatchObject({ kind: 'inserted' })
  expect(feed.head).toMatchObject({ card_count: 2 })
})

test('a key that another instance took fails only its own request', async () => {
  const { feed } = start()
  const respond = (key: string) => () => ({
    user_id: owner_id,
    method: 'POST',
    path: '/cards',
    key,
    body_hash: '00',
    status: 201,
    response: '{}',
  })
  await feed.writer.write({ mutation: insert(), owner_id, responseToStore: respond('taken') })
  const again = feed.writer.write({ mutation: insert(), owner_id, responseToStore: respond('taken') })
  const other = feed.writer.write({ mutation: insert(), owner_id, responseToStore: respond('free') })
  const plain = feed.writer.write({ mutation: insert(), owner_id })
  await expect(again).rejects.toMatchObject({ name: 'KeyTaken' })
  expect(await other).toMatchObject({ kind: 'inserted' })
  expect(await plain).toMatchObject({ kind: 'inserted' })
  expect(feed.head).toMatchObject({ card_count: 3 })
})

test('rows beside the document are written even if the document stays the same', async () => {
  const { feed } = start()
  const write = { kind: 'head', change: () => ({ name: 'Channel' }) } as const
  await feed.writer.write({
    mutation: write,
    owner_id,
    also: async tx => {
      await tx`update channels set webhook_url = 'https://example.com' where id = ${channel_id}`
    },
  })
  const [row] = await database.sql`select webhook_url from channels where id = ${channel_id}`
  expect(row).toEqual({ webhook_url: 'https://example.com' })
})

test('two feeds of one channel lose no mutation and reject none wrongly', async () => {
  const [a, b] = [start(), start()]
  const id = randomUUID()
  await b.feed.writer.write({ mutation: insert(), owner_id })
  await a.feed.writer.write({ mutation: insert(id), owner_id })
  // b has no notice of the card.
  expect(rowsOf(await b.feed.writer.write({ mutation: append(id, 'b'), owner_id }))).toEqual(['b'])
  const writes = Array.from({ length: 20 }, (_, i) =>
    (i % 2 ? a : b).feed.writer.write({ mutation: append(id, String(i)), owner_id }),
  )
  await Promise.all(writes)
  const last = await a.feed.writer.write({ mutation: append(id, 'end'), owner_id })
  expect(rowsOf(last)).toHaveLength(22)
  expect(new Set(rowsOf(last)).size).toBe(22)
})

test('an instance of an older generation does not keep beginning new epochs', async () => {
  const { feed } = start()
  await database.sql`update database_generation set generation = 2`
  await database.sql`update documents set generation = 2`
  expect(await feed.writer.write({ mutation: insert(), owner_id })).toMatchObject({ kind: 'inserted' })
  expect(feed.head?.epoch).toBe(0)
})

test('a log that is behind what viewers have begins a new epoch', async () => {
  const { feed } = start()
  await feed.writer.write({ mutation: insert(), owner_id })
  await feed.writer.write({ mutation: insert(), owner_id })
  // A standby without the last turn was promoted.
  await database.sql`delete from document_updates where channel_id = ${channel_id} and seq = 3`
  await database.sql`delete from cards where channel_id = ${channel_id} and position = 1`
  await database.sql`
    update documents set seq = 2, next_position = 1, card_count = 1,
      clock = (select clock from document_updates u where u.channel_id = documents.channel_id and u.seq = 2)
    where channel_id = ${channel_id}`
  expect(await feed.refresh()).toMatchObject({ epoch: 1, card_count: 1 })
  await feed.writer.write({ mutation: insert(), owner_id })
  expect(feed.head).toMatchObject({ epoch: 1, card_count: 2 })
})

test('a channel that is deleted during a turn returns 404 to its writers', async () => {
  const { feed, commits } = start()
  await feed.writer.write({ mutation: insert(), owner_id })
  const kept = channel_id
  const other = await createFeedRows(database.sql)
  commits.script.push(async commit => {
    await database.sql`delete from channels where id = ${kept}`
    return commit()
  })
  const late = [
    feed.writer.write({ mutation: insert(), owner_id }),
    feed.writer.write({ mutation: insert(), owner_id }),
  ]
  for (const write of late) await expect(write).rejects.toMatchObject({ status: 404 })
  await expect(feed.writer.write({ mutation: insert(), owner_id })).rejects.toMatchObject({ status: 404 })
  for (const table of ['document_updates', 'document_snapshots', 'cards', 'page_versions']) {
    const rows = await database.sql`select 1 from ${database.sql(table)} where channel_id = ${kept}`
    expect(rows).toHaveLength(0)
  }
  channel_id = other.channel_id
})
