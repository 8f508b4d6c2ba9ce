// A feed with one card that is in no channel yet, for the preview. It saves and sends nothing.
import { createEffect, createSignal, on } from 'solid-js'
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { type CardStateEntry, cardState, type Value } from '../../shared/card-state.ts'
import { createArchive } from '../data/channel/archive.ts'
import { createFeedStore } from '../data/channel/feed-store.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { createBlockValues } from '../data/drafts/block-values-store.ts'
import { type CardDrafts, isPassword } from '../data/drafts/drafts.ts'
import type { DraftValue } from '../data/local-copy/drafts.ts'
import type { LocalInteraction } from '../data/outbox/interaction.ts'
import type { Outbox } from '../data/outbox/outbox.ts'
import { useSession } from '../data/session.tsx'
import { PREVIEW, type PreviewCard } from './preview-card.ts'

/** `sent` is what a webhook would receive, without ids and times. */
export type PreviewedInteraction = {
  label: string
  sent: { trigger: object; card_state: CardStateEntry[]; decision?: object }
}

export type PreviewFeed = ReturnType<typeof createPreviewFeed>

/** Without `createdAt` the card is created now. Everyone who may decide sees the same; here that is the owner. */
export function createPreviewFeed(preview: () => PreviewCard, createdAt?: () => string | undefined) {
  const { user } = useSession()
  const store = createFeedStore()
  const drafts = createMemoryDrafts()
  const [interaction, setInteraction] = createSignal<PreviewedInteraction>()
  const now = new Date().toISOString()

  createEffect(
    on(preview, ({ status, blocks }, before) => {
      const old = new Map(before?.blocks.map(block => [block.id, JSON.stringify(block)]))
      // An edited block loses the value that people typed into its preview.
      for (const block of blocks) {
        const json = old.get(block.id)
        if (json !== undefined && json !== JSON.stringify(block)) drafts.discard(PREVIEW, block.id)
      }
      const created_at = createdAt?.() ?? now
      const card: PlacedCard = {
        id: PREVIEW,
        channel_id: PREVIEW,
        status,
        // A copy: the store patches its cards in place.
        blocks: structuredClone(blocks),
        created_at,
        updated_at: created_at,
        position: 0,
      }
      store.setPage(0, [card])
    }),
  )

  const feed: PageFeed = {
    id: PREVIEW,
    state: store.state,
    ids: store.ids,
    cardsApart: store.apart,
    archive: createArchive(PREVIEW, store, () => false),
    drafts,
    link: () => ({ state: 'live' }),
    view: () => undefined,
    viewer: () => ({ you: { kind: 'owner', name: user()?.name ?? 'You' }, may_decide: [PREVIEW] }),
    refreshView: async () => {},
    lastUpdatedAt: () => undefined,
    drawn: () => true,
    scrolled: () => false,
    setScrolled: () => false,
    byName: () => false,
    setByName: () => {},
    stopWithoutSaving: () => {},
  }

  const outbox: Outbox = {
    interactions: () => [],
    ready: () => true,
    waiting: () => 0,
    add: async interaction => void setInteraction(previewOf(interaction, preview().blocks)),
    remove: async () => {},
    dismiss: async () => {},
    retryDelivery: async () => {},
    recheckDelivery: async () => {},
    wake: async () => {},
  }

  return { feed, outbox, interaction, dismiss: () => setInteraction(undefined) }
}

function previewOf({ body, label }: LocalInteraction, blocks: Block[]): PreviewedInteraction {
  const values = new Map<string, Value>(Object.entries(body?.values ?? {}))
  const sent = (trigger: object) => ({ trigger, card_state: cardState(blocks, values) })
  const trigger = body?.trigger
  if (trigger?.type === 'input_change') {
    const { type, block_id, value } = trigger
    values.set(block_id, value)
    const block_type = blocks.find(({ id }) => id === block_id)?.type
    return { label, sent: sent({ type, block_id, block_type, value }) }
  }
  if (trigger?.type !== 'button_click' || trigger.decision_id === undefined)
    return { label, sent: sent({ ...trigger, label }) }
  const { type, button_id, comment = null } = trigger
  const decision = { state: 'decided', outcome: { button_id, label, comment } }
  return { label, sent: { ...sent({ type, button_id, label }), decision } }
}

function createMemoryDrafts(): CardDrafts {
  const { drop, ...drafts } = createBlockValues<DraftValue>(Promise.resolve(undefined), async () => true)
  return {
    ...drafts,
    isSecret: (_, block) => isPassword(block),
    conceal: () => {},
    discard: drop,
    markSent: () => {},
    sentDraft: () => undefined,
    stop: () => {},
  }
}
