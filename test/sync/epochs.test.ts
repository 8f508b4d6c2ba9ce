// A new epoch: the document is rebuilt from its rows, viewers of the old one start over, and none gets a mixture.
import { expect, test } from 'vitest'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { accountAt } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until, watch, watchSynced } from '../support/viewer.ts'

const { service: old, ann } = await runWithOwner()

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
  const channel_id = await createChannel(ann)
  const cards = `/channels/${channel_id}/cards`
  for (let left = count; left > 0; left -= 65)
    await times(Math.min(left, 65), () => ann.key('POST', cards, card))
  if (count === 64) await ann.key('DELETE', await pushCard(ann.key, cards))
  const live = Math.min(count, count > 320 ? count - 128 : count)
  const token = ann.api_key
  const before = await watchSynced(old.url, channel_id, { token })
  await before.sees(seen => seen.length === live)

  const restored = await startRestored()
  const after = await watchSynced(restored.url, channel_id, { token })
  await after.sees(seen => seen.length === live, 'the rows')
  await old.feeds.get(channel_id).refresh()
  await until(() => before.closes.length > 0, 'the old viewer is closed')
  expect(before.closes[0]).toBe(4409)
  const returning = watch(restored.url, channel_id, { token, doc: before.doc })
  await until(() => returning.closes.includes(4409), 'and closed when it returns')

  // Both instances continue in the new epoch, and send the old document to no viewer.
  const joined = watch(old.url, channel_id, { token })
  for (const { key } of [ann, accountAt(restored, ann)])
    expect((await key('POST', cards, card)).status).toBe(201)
  const total = count === 390 ? 392 - 128 : count + 2
  for (const viewer of [after, joined]) {
    await viewer.sees(seen => seen.length === total, 'new cards')
    expect(viewer.cards()).toEqual(after.cards())
  }
  await expectRowsMatchDocument(old.sql, channel_id)
  const [head] = await old.sql`select epoch from documents where channel_id = ${channel_id}`
  expect(head).toEqual({ epoch: 1 })
  await restored.stop()
})
