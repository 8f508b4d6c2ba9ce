// Turns of other instances: applied from their notices if they are the next ones, and otherwise read from the log.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { beforeEach, expect, test, vi } from 'vitest'
import * as Y from 'yjs'
import type { GrownNotice } from '../../server/bus/bus.ts'
import { decodeMessage, encodeMessage } from '../../server/bus/redis-message.ts'
import { countQueries } from '../auth/count-queries.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { cardsOf } from '../support/viewer.ts'
import { append, insert, rowsOf, startFeed, useChannel } from './scripted.ts'

type Instance = ReturnType<ReturnType<typeof useChannel>['start']>

const scene = useChannel()
let card_id: string
let here: Instance
let there: Instance

beforeEach(async () => {
  here = scene.start()
  there = scene.start()
  card_id = randomUUID()
  await here.write(insert(card_id))
})

async function write(key: string): Promise<GrownNotice> {
  await here.write(append(card_id, key))
  const grown = here.notices.at(-1)
  if (!grown) throw new Error('a turn has a notice')
  return grown
}

async function cards({ feed }: Instance): Promise<unknown> {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, (await feed.state()).update)
  return cardsOf(doc, scene.channel_id)
}

test.each(['in memory', 'not in memory'])(
  'a notice with its turn needs no query if the document is %s',
  async where => {
    if (where === 'in memory') await there.feed.state()
    else await there.feed.refresh()
    there.failNext(1_000)
    for (let i = 0; i < 10; i++) there.feed.receive(await write(String(i)))
    if (where === 'in memory') expect(await cards(there)).toEqual(await cards(here))
    await expect.poll(() => there.feed.log_head).toEqual(here.feed.log_head)
    there.failNext(0)
    // The notices are enough to write: the first commit succeeds.
    const outcome = await there.write(append(card_id, 'there'))
    expect(rowsOf(outcome)).toEqual([...Array.from({ length: 10 }, (_, i) => String(i)), 'there'])
    expect(there.commits.count).toBe(1)
  },
)

test('an instance that only follows keeps the recent updates for its viewers', async () => {
  const head = await there.feed.refresh()
  await there.feed.document.exclusive(async held => {
    held.used = Number.NEGATIVE_INFINITY
  })
  there.feed.receive(await write('new'))
  await expect.poll(() => there.feed.log_head).toEqual(here.feed.log_head)
  there.feed.check(performance.now())
  expect(there.feed.document.committed.recent.since(head?.clock ?? 0)).toHaveLength(1)
})

test('lost, late and repeated notices are replaced by the log', async () => {
  await there.feed.state()
  const notices: GrownNotice[] = []
  for (let i = 0; i < 12; i++) notices.push(await write(String(i)))
  for (const i of [1, 0, 0, 1, 5, 4, 3, 11, 10, 2, 11]) {
    const grown = notices[i]
    if (grown) there.feed.receive(grown)
  }
  expect(await cards(there)).toEqual(await cards(here))
  expect(there.feed.log_head).toEqual(here.feed.log_head)
})

test('an instance that is far behind reads the log in parts', async () => {
  await there.feed.state()
  for (let i = 0; i < 20; i++) await here.write(insert(randomUUID(), 'x'.repeat(250_000)))
  const followed = vi.spyOn(there.deps, 'followed')
  expect(await there.feed.refresh()).toEqual(here.feed.log_head)
  expect(followed.mock.calls).toEqual([
    ['log', 17],
    ['log', 3],
  ])
  // Not `toEqual`, which compares megabytes to explain a difference.
  expect(isDeepStrictEqual(await cards(there), await cards(here))).toBe(true)
})

test('a notice with a forged turn changes nothing', async () => {
  await there.feed.state()
  for (let i = 0; i < 5; i++) {
    const grown = await write(String(i))
    const { turn } = grown
    if (!turn) throw new Error('the notice contains its turn')
    const forged = [
      { ...turn, clock: turn.clock + 1 },
      { ...turn, update: new Uint8Array() },
      { ...turn, update: new Uint8Array([0, 0]) },
      { ...turn, update: turn.update.slice(0, 3) },
      { ...turn, update: Y.encodeStateAsUpdate(new Y.Doc()) },
    ]
    const turn_i = forged[i]
    if (turn_i) there.feed.receive({ ...grown, turn: turn_i })
    expect(await cards(there)).toEqual(await cards(here))
    expect(there.feed.log_head).toEqual(here.feed.log_head)
  }
})

test('a turn that writes other rows is published without its update, so receivers read the document’s row', async () => {
  await there.feed.state()
  await here.feed.keepEvents(scene.owner_id)
  const grown = here.notices.at(-1)
  expect(grown).toMatchObject({ kind: 'grown', seq: here.feed.log_head?.seq })
  expect(grown?.turn).toBeUndefined()
  if (grown) there.feed.receive(grown)
  there.feed.receive(await write('after'))
  await expect.poll(() => there.feed.log_head).toEqual(here.feed.log_head)
  expect(there.feed.log_head?.events_until).not.toBeNull()
})

test('a turn that was already waiting when events began to be kept is written with its events', async () => {
  const { sql } = scene.database
  await here.feed.refresh()
  const unlock = await holdLocks(
    scene.database,
    other => other`select from documents where channel_id = ${scene.channel_id} for update`,
  )
  const kept = here.feed.keepEvents(scene.owner_id)
  await expect.poll(() => countLockWaits(sql)).toBe(1)
  const written = here.write(insert(randomUUID()))
  await unlock()
  await Promise.all([kept, written])
  const [last] = await sql<{ seq: number; events: unknown }[]>`
    select seq, events from document_updates where channel_id = ${scene.channel_id} order by seq desc limit 1`
  expect(last).toMatchObject({ seq: here.feed.log_head?.seq, events: [{ type: 'card.inserted' }] })
})

test('a notice that arrives while the document is read is not lost', async () => {
  const { sql, hold } = countQueries(scene.database.sql)
  const late = startFeed({ ...scene.database, sql }, scene.channel_id)
  const { answered, release } = hold()
  const reading = late.feed.refresh()
  await answered
  late.feed.receive(await write('meanwhile'))
  release()
  await reading
  await expect.poll(() => late.feed.log_head).toEqual(here.feed.log_head)
  await late.snapshots.stop()
})

test('a message of the Redis bus preserves a turn', async () => {
  const grown = await write('once')
  expect(decodeMessage('another', encodeMessage('one', [grown]))).toEqual([grown])
  expect(decodeMessage('one', encodeMessage('one', [grown]))).toBeNull()
})
