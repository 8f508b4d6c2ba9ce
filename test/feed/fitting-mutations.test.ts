// A turn reads archived cards up to a number of bytes, and leaves further mutations to the next turn.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { fittingMutations } from '../../server/feed/turn/fitting-mutations.ts'
import type { Mutation } from '../../server/feed/turn/mutation.ts'
import type { PendingMutation } from '../../server/feed/turn/mutation-queue.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { insert, useChannel } from './scripted.ts'

const scene = useChannel()

/** A page of cards of 100 KB and one more card, which are all archived but the last. */
async function fill() {
  const started = scene.start()
  const ids = Array.from({ length: 65 }, () => randomUUID())
  await Promise.all(ids.map(id => started.write(insert(id, 'x'.repeat(100_000)))))
  await started.write(insert())
  return { ...started, ids: ids.slice(0, 64) }
}

const setStatus = (id: string): Mutation => ({ kind: 'patch', ref: { id }, body: { status: 'success' } })

test('mutations of many large archived cards take several turns, which read a megabyte each', async () => {
  const { write, feed, ids, notices } = await fill()
  const { live } = await feed.document.exclusive(held => held.load())
  expect(live.isArchived(0)).toBe(true)
  const pending = (mutation: Mutation): PendingMutation => ({
    request: { mutation, owner_id: scene.owner_id },
    since: 0,
    tried: new Map(),
    alone: false,
    settled: false,
    resolve() {},
    reject() {},
  })
  const fits = (mutations: Mutation[]) => fittingMutations(scene.database.sql, live, mutations.map(pending))
  expect(await fits(ids.map(setStatus))).toHaveLength(10)
  expect(await fits(ids.slice(0, 8).map(setStatus))).toHaveLength(8)
  // Cards that are named again, new ones, and live ones cost nothing.
  const again = ids.slice(0, 10).flatMap(id => Array.from({ length: 9 }, () => setStatus(id)))
  const cheap = [...again, ...Array.from({ length: 20 }, () => insert())]
  expect(await fits(cheap)).toHaveLength(cheap.length)

  const before = notices.length
  const outcomes = await Promise.all(ids.map(id => write(setStatus(id))))
  expect(outcomes.every(({ kind }) => kind === 'updated')).toBe(true)
  expect(notices.length - before).toBeGreaterThanOrEqual(64 / 10)
  await expectRowsMatchDocument(scene.database.sql, scene.channel_id)
})
