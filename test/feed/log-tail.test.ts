// The part of the log that a returning viewer lacks.
import { afterAll, expect, test } from 'vitest'
import { readLogHead, readTailFromClock } from '../../server/feed/log/log.ts'
import { createTestDatabase } from '../support/database.ts'
import { createFeedRows, insert, startFeed } from './scripted.ts'

/** The document's clock before each of its updates, which have a little more than 10 KB. */
const clocks: number[] = []

const database = await createTestDatabase()
const rows = await createFeedRows(database.sql)
const channel_id = rows.channel_id
const { feed, snapshots } = startFeed(database, channel_id)
for (let i = 0; i < 5; i++) {
  clocks.push((await feed.refresh())?.clock ?? 0)
  await feed.writer.write({ mutation: insert(undefined, 'x'.repeat(10_000)), owner_id: rows.user_id })
}
await snapshots.stop()
afterAll(() => database.drop())

/** How many updates are read for a viewer that lacks the last `lacking`; null: the viewer gets the whole document. */
async function readFor(lacking: number, max_bytes: number): Promise<number | null> {
  const head = await readLogHead(database.sql, channel_id)
  if (!head) throw new Error('the channel is there')
  const clock = clocks.at(-lacking) ?? 0
  const updates = await readTailFromClock(database.sql, channel_id, head, clock, max_bytes)
  expect(updates?.every(({ length }) => length > 10_000) ?? true).toBe(true)
  return updates?.length ?? null
}

test('readTailFromClock reads only what a viewer lacks', async () => {
  expect(await readFor(1, 1_000_000)).toBe(1)
  expect(await readFor(4, 1_000_000)).toBe(4)
})

test('readTailFromClock returns null for a tail that is too long', async () => {
  expect(await readFor(3, 35_000)).toBe(3)
  expect(await readFor(4, 35_000)).toBeNull()
  expect(await readFor(1, 5_000)).toBeNull()
})
