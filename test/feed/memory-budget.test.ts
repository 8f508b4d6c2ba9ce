// The memory limit of all documents: the least recently used leave first, and viewers don't notice.
import { expect, test } from 'vitest'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { until, watch } from '../support/viewer.ts'

/** Enough for about seven of the documents below, or three with their encoded copies. */
const MEMORY_MAX = 30_000_000
const CHANNELS = 8

/** Channels with 20 cards of 200 KB each; a card of each. */
const channels: { id: string; card_id: string }[] = []

// Time stands still, so that nothing leaves because it is idle.
const { service, ann } = await runWithOwner({}, { memory_max_bytes: MEMORY_MAX, elapsed: () => 0 })

const channel = (i: number) => {
  const found = channels.at(i)
  if (!found) throw new Error('the first test fills the channels')
  return found
}
const isLive = ({ id, card_id }: { id: string; card_id: string }) =>
  service.feeds.get(id).document.holds(card_id)
const fits = () => until(() => service.feeds.counts().memory <= MEMORY_MAX, 'everything fits')

async function fill(): Promise<void> {
  const id = await createChannel(ann)
  const blocks = Array.from({ length: 20 }, (_, i) => ({
    type: 'text',
    id: `${i}`,
    content: 'x'.repeat(10_000),
  }))
  const push = () => ann.key<{ id: string }>('POST', `/channels/${id}/cards`, { blocks })
  const [first] = await Promise.all(Array.from({ length: 20 }, push))
  channels.push({ id, card_id: first?.body.id ?? '' })
}

test('large documents with few items leave memory, and their viewers get new updates', async () => {
  await fill()
  const viewer = watch(service.url, channel(0).id, { token: ann.api_key })
  await viewer.sees(cards => cards.length === 20)
  // On a busy machine, a turn may have been given up, and the document with it.
  await service.feeds.get(channel(0).id).place()
  expect(isLive(channel(0))).toBe(true)
  while (channels.length < CHANNELS) await fill()
  await until(() => !isLive(channel(0)), 'the first document has left')
  await fits()
  expect(isLive(channel(-1))).toBe(true)

  const { id, card_id } = channel(0)
  await ann.key('PATCH', `/channels/${id}/cards/${card_id}`, { status: 'success' })
  await viewer.sees(cards => cards.some(card => card.id === card_id && card.status === 'success'))
  expect(viewer.closes).toEqual([])
  viewer.leave()
})

test('encoded copies leave memory too, and are encoded again on request', async () => {
  const { feeds } = service
  const copyOf = async (id: string) => (await feeds.audience(id).document()).copy
  const first = await copyOf(channel(0).id)
  for (const { id } of channels) await (await copyOf(id)).gzipped()
  const last = await copyOf(channel(-1).id)
  await fits()
  // Not `toBe`, which compares megabytes to explain a difference.
  expect((await copyOf(channel(-1).id)) === last).toBe(true)
  const again = await copyOf(channel(0).id)
  expect(again === first).toBe(false)
  expect(again.plain.equals(first.plain)).toBe(true)
})
