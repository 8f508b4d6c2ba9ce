// What happens to mutations when the commit of their turn is lost, cut off or rejected.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { deleteRowsOfDeletedDocuments } from '../../server/feed/log/deleted-documents.ts'
import type { CommitResult, Turn } from '../../server/feed/log/turn.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { append, createFeedRows, insert, rowsOf, useChannel } from './scripted.ts'

const scene = useChannel()
const { start } = scene
afterEach(() => expectRowsMatchDocument(scene.database.sql, scene.channel_id))

/** The commit succeeds, and its response is cut off. */
const succeedsUnknown = async (commit: () => Promise<CommitResult>): Promise<CommitResult> => {
  await commit()
  return { kind: 'unknown' }
}

test('a mutation whose commit succeeded without a response is found in the log, and not repeated', async () => {
  const { write, commits } = start()
  const id = randomUUID()
  commits.script.push(succeedsUnknown)
  expect(await write(insert(id))).toMatchObject({
    kind: 'inserted',
    card: { id },
  })
  commits.script.push(succeedsUnknown)
  expect(rowsOf(await write(append(id, 'once')))).toEqual(['once'])
  expect(rowsOf(await write(append(id, 'twice')))).toEqual(['once', 'twice'])
  commits.script.push(succeedsUnknown)
  expect(await write({ kind: 'delete', ref: { id } })).toMatchObject({
    kind: 'deleted',
  })
  expect(commits.count).toBe(4)
})

test('a mutation whose commit was cut off is tried again', async () => {
  const { feed, write, commits } = start()
  commits.script.push(async () => ({ kind: 'unknown' }))
  expect(await write(insert())).toMatchObject({ kind: 'inserted' })
  expect(feed.log_head).toMatchObject({ seq: 2, card_count: 1 })
})

test('a lost turn whose refresh is cut off is repeated once, not twice', async () => {
  const { write, commits, failNext } = start()
  const id = randomUUID()
  await write(insert(id))
  commits.script.push(async () => {
    failNext(1)
    return { kind: 'lost' }
  })
  const both = await Promise.all([write(append(id, 'a')), write(append(id, 'b'))])
  expect(rowsOf(both[1])).toEqual(['a', 'b'])
  expect(rowsOf(await write(append(id, 'c')))).toEqual(['a', 'b', 'c'])
})

test('P14: an instance that loses every race gets its turn, while another one writes without pause', async () => {
  const [slow, fast] = [start(), start()]
  const loses = async (commit: () => Promise<CommitResult>) => {
    await fast.write(insert())
    return commit()
  }
  slow.commits.script.push(...Array.from({ length: 1_000 }, () => loses))
  let done = false
  const writing = (async () => {
    while (!done) await fast.write(insert())
  })()
  const cards = await Promise.all([slow.write(insert()), slow.write(insert())])
  done = true
  await writing
  expect(cards.map(({ kind }) => kind)).toEqual(['inserted', 'inserted'])
  expect(slow.commits.count).toBe(2)
})

test('mutations that wait for a locked channel are made once and in order', async () => {
  const { write } = start()
  const ids = Array.from({ length: 5 }, () => randomUUID())
  await write(insert())
  const release = await holdLocks(
    scene.database,
    sql => sql`select from documents where channel_id = ${scene.channel_id} for update`,
  )
  const writes = ids.slice(0, 2).map(id => write(insert(id)))
  await expect.poll(() => countLockWaits(scene.database.sql)).toBe(1)
  writes.push(...ids.slice(2).map(id => write(insert(id))))
  await release()
  expect(await Promise.all(writes)).toMatchObject(ids.map(id => ({ kind: 'inserted', card: { id } })))
  const stored = await scene.database.sql<{ id: string }[]>`
    select id from cards where channel_id = ${scene.channel_id} and position > 0 order by position`
  expect(stored.map(({ id }) => id)).toEqual(ids)
})

test('the error of one mutation does not fail others of its turn', async () => {
  const { feed, write } = start()
  const also = () => Promise.reject(new Error('no such row'))
  const wrong = write({ kind: 'head', change: () => ({ name: 'Never' }) }, { also })
  const [one, two] = [write(insert()), write(insert())]
  await expect(wrong).rejects.toThrow('no such row')
  expect(await one).toMatchObject({ kind: 'inserted' })
  expect(await two).toMatchObject({ kind: 'inserted' })
  expect(feed.log_head).toMatchObject({ card_count: 2 })
})

test('a key that another instance took fails only its own request', async () => {
  const { feed, write } = start()
  const respond = (key: string) => () => ({
    user_id: scene.owner_id,
    method: 'POST',
    path: '/cards',
    key,
    body_hash: '00',
    status: 201 as const,
    response: '{}',
  })
  await write(insert(), { responseToStore: respond('taken') })
  const again = write(insert(), { responseToStore: respond('taken') })
  const other = write(insert(), { responseToStore: respond('free') })
  const plain = write(insert())
  await expect(again).rejects.toMatchObject({ name: 'KeyTaken' })
  expect(await other).toMatchObject({ kind: 'inserted' })
  expect(await plain).toMatchObject({ kind: 'inserted' })
  expect(feed.log_head).toMatchObject({ card_count: 3 })
})

test('other rows are written even if the document stays the same', async () => {
  const also: Turn['also'][number] = async tx => {
    await tx`update channels set webhook_url = 'https://example.com' where id = ${scene.channel_id}`
  }
  await start().write({ kind: 'head', change: () => ({ name: 'Channel' }) }, { also })
  const [row] = await scene.database.sql`select webhook_url from channels where id = ${scene.channel_id}`
  expect(row).toEqual({ webhook_url: 'https://example.com' })
})

test('two feeds of one channel lose no mutation and reject none wrongly', async () => {
  const [a, b] = [start(), start()]
  const id = randomUUID()
  await b.write(insert())
  await a.write(insert(id))
  // b has no notice of the card.
  expect(rowsOf(await b.write(append(id, 'b')))).toEqual(['b'])
  const writes = Array.from({ length: 20 }, (_, i) => (i % 2 ? a : b).write(append(id, String(i))))
  await Promise.all(writes)
  const last = await a.write(append(id, 'end'))
  expect(rowsOf(last)).toHaveLength(22)
  expect(new Set(rowsOf(last)).size).toBe(22)
})

test('an instance of an older generation does not keep beginning new epochs', async () => {
  const { feed, write } = start()
  await scene.database.sql`update database_generation set generation = 2`
  await scene.database.sql`update documents set generation = 2`
  expect(await write(insert())).toMatchObject({ kind: 'inserted' })
  expect(feed.log_head?.epoch).toBe(0)
})

test('a log that is behind what viewers have begins a new epoch', async () => {
  const { feed, write } = start()
  await write(insert())
  await write(insert())
  // A standby without the last turn was promoted.
  await scene.database.sql`delete from document_updates where channel_id = ${scene.channel_id} and seq = 3`
  await scene.database.sql`delete from cards where channel_id = ${scene.channel_id} and position = 1`
  await scene.database.sql`
    update documents set seq = 2, next_position = 1, card_count = 1,
      clock = (select clock from document_updates u where u.channel_id = documents.channel_id and u.seq = 2)
    where channel_id = ${scene.channel_id}`
  expect(await feed.refresh()).toMatchObject({ epoch: 1, card_count: 1 })
  await write(insert())
  expect(feed.log_head).toMatchObject({ epoch: 1, card_count: 2 })
})

test('a channel that is deleted during a turn returns 404 to its writers', async () => {
  const { write, commits } = start()
  await write(insert())
  const { channel_id: deleted_id } = scene
  const other = await createFeedRows(scene.database.sql)
  commits.script.push(async commit => {
    await scene.database.sql`delete from channels where id = ${deleted_id}`
    return commit()
  })
  const late = [write(insert()), write(insert())]
  for (const write of late) await expect(write).rejects.toMatchObject({ status: 404 })
  await expect(write(insert())).rejects.toMatchObject({ status: 404 })
  await deleteRowsOfDeletedDocuments(scene.database.sql)
  for (const table of ['document_updates', 'document_snapshots', 'cards', 'page_versions']) {
    const rows = await scene.database
      .sql`select 1 from ${scene.database.sql(table)} where channel_id = ${deleted_id}`
    expect(rows).toHaveLength(0)
  }
  scene.channel_id = other.channel_id
})
