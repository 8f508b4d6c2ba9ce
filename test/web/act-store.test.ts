// Acts without a usable IndexedDB (there is none here): kept in memory, in order, by the same rules.
import { expect, test, vi } from 'vitest'
import { type Act, withProgress } from '../../web/data/outbox/interaction.ts'
import { makeActStore } from '../../web/data/outbox/interaction-store.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

function buildAct(interaction_id: string): Act {
  const acted_at = '2026-01-31T12:00:00.000Z'
  const trigger = { type: 'reply' as const, text: interaction_id }
  return {
    interaction_id,
    channel_id: 'channel',
    card_id: null,
    type: 'reply',
    place: 'reply',
    label: interaction_id,
    acted_at,
    body: { interaction_id, card_id: null, trigger, values: {}, timestamp: acted_at },
    secret: false,
    progress: { state: 'waiting', trouble: null },
  }
}

test('acts are kept in the order in which they were done, changed in place, and dropped', async () => {
  const store = makeActStore()
  for (const id of ['a', 'b', 'c']) await store.add(buildAct(id))
  await store.update('b', act => withProgress(act, { state: 'delivered' }))
  await store.update('a', () => null)
  await store.update('unknown', act => act)
  const kept = await store.readAll()
  expect(kept.map(act => [act.interaction_id, act.progress.state])).toEqual([
    ['b', 'delivered'],
    ['c', 'waiting'],
  ])
  expect(kept[0]?.body).toBe(null)
})
