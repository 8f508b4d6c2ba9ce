// A new epoch: the document is rebuilt from its rows, viewers of the old one start over, and none gets a mixture.
import { afterAll, expect, test } from 'vitest'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { withKey } from '../support/account.ts'
import { createTestChannel, startTestService, type TestService } from '../support/service.ts'
import { until, watch } from '../support/viewer.ts'

const old = await startTestService()
const owner = await old.createOwner()
afterAll(() => old.stop())

const card = { blocks: [{ type: 'kv', id: 'kv', rows: [{ key: 'a', value: 'b' }] }] }

/** An instance that starts after a restore, beside one that did not notice it. */
async function startRestored(): Promise<TestService> {
  await old.sql`update database_generation set generation = generation + 1`
  return startTestService({}, { database: old.database })
}

test.each([
  ['empty', 0],
  ['of one page', 10],
  ['whose newest page is empty', 64],
  ['with archived pages', 390],
])('a channel %s begins anew: viewers of the old epoch get 4409, fresh ones the rows', async (_, count) => {
  const channel_id = await createTestChannel(owner)
  const cards = `/channels/${channel_id}/cards`
  for (let left = count; left > 0; left -= 65)
    await Promise.all(Array.from({ length: Math.min(left, 65) }, () => owner.call('POST', cards, card)))
  if (count === 64) {
    const { body } = await owner.call<{ id: string }>('POST', cards, card)
    await owner.call('DELETE', `${cards}/${body.id}`)
  }
  const live = Math.min(count, count > 320 ? count - 128 : count)
  const before = watch(old.url, channel_id, { token: owner.api_key })
  await before.sees(seen => seen.length === live)
  await until(() => before.provider.synced, 'synced')

  const restored = await startRestored()
  const after = watch(restored.url, channel_id, { token: owner.api_key })
  await after.sees(seen => seen.length === live, 'the rows')
  await until(() => after.provider.synced, 'synced')
  await old.feeds.get(channel_id).refresh()
  await until(() => before.closes.length > 0, 'the old viewer is closed')
  expect(before.closes[0]).toBe(4409)
  const returning = watch(restored.url, channel_id, { token: owner.api_key, doc: before.doc })
  await until(() => returning.closes.includes(4409), 'and refused when it returns')

  // Both instances continue in the new epoch, and send the old document to no viewer.
  const joined = watch(old.url, channel_id, { token: owner.api_key })
  expect((await owner.call('POST', cards, card)).status).toBe(201)
  expect((await withKey(restored.url, owner.api_key)('POST', cards, card)).status).toBe(201)
  const total = count === 390 ? 392 - 128 : count + 2
  for (const viewer of [after, joined]) {
    await viewer.sees(seen => seen.length === total, 'new cards')
    expect(viewer.cards()).toEqual(after.cards())
  }
  await expectRowsMatchDocument(old.sql, channel_id)
  const [head] = await old.sql`select epoch from documents where channel_id = ${channel_id}`
  expect(head).toEqual({ epoch: 1 })
  for (const viewer of [before, after, joined, returning]) viewer.leave()
  await restored.stop()
})
