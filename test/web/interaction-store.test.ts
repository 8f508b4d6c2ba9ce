// The interaction store without IndexedDB, which Node lacks: it keeps interactions in memory by the same rules.
import { expect, test, vi } from 'vitest'
import { type LocalInteraction, withProgress } from '../../web/data/outbox/interaction.ts'
import { makeInteractionStore } from '../../web/data/outbox/interaction-store.ts'

vi.spyOn(console, 'warn').mockImplementation(() => undefined)

function buildReply(interaction_id: string): LocalInteraction {
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

test('each change sees the changes before it, in order', async () => {
  const store = makeInteractionStore(Promise.resolve(), () => undefined)
  for (const id of ['a', 'b', 'c']) await store.change(list => [...list, buildReply(id)])
  await store.change(list => list.map(one => withProgress(one, { state: 'delivered' })))
  await store.change(list => list.slice(1))
  const saved = await store.read()
  expect(saved.map(one => [one.interaction_id, one.progress.state])).toEqual([
    ['b', 'delivered'],
    ['c', 'delivered'],
  ])
  expect(saved[0]?.body).toBe(null)
})
