// Shows one card that is in no channel yet. It saves and sends nothing.
import { createEffect, createSignal, on } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import type { Block, CardStateEntry } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { cardState } from '../../shared/card-state.ts'
import type { Value } from '../../shared/form-block.ts'
import type { CardHost } from '../card/card-host.ts'
import { createBlockValues } from '../data/drafts/block-values-store.ts'
import { isPassword } from '../data/drafts/drafts.ts'
import type { DraftValue } from '../data/local-copy/drafts.ts'
import type { LocalInteraction } from '../data/outbox/interaction.ts'
import { useSession } from '../data/session.tsx'
import type { PreviewCard } from './preview-card.ts'
import { ownerMayDecide, PREVIEW, previewViewer } from './preview-viewer.ts'

/** `sent` is what a webhook would receive, without ids and times. */
export type PreviewedInteraction = {
  label: string
  sent: { trigger: object; card_state: CardStateEntry[]; decision?: object }
}

export type PreviewHost = ReturnType<typeof createPreviewHost>

/** Without `createdAt` the card is created now. It is shown as the owner sees it, until another viewer is chosen. */
export function createPreviewHost(preview: () => PreviewCard, createdAt?: () => string | undefined) {
  const { user } = useSession()
  const [state, setState] = createStore<{ card?: PlacedCard }>({})
  const drafts = createMemoryDrafts()
  const [interaction, setInteraction] = createSignal<PreviewedInteraction>()
  const [chosen, chooseMayDecide] = createSignal<boolean>()
  const mayDecide = () => chosen() ?? ownerMayDecide(preview().asked, user()?.email ?? '')
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
        // A copy: the store patches its card in place.
        blocks: structuredClone(blocks),
        created_at,
        updated_at: created_at,
        position: 0,
      }
      setState('card', reconcile(card, { key: 'id', merge: true }))
    }),
  )

  const host: CardHost = {
    channel_id: PREVIEW,
    cardOf: () => state.card,
    mode: () => 'interactive',
    link: () => ({ state: 'live' }),
    drafts,
    outbox: {
      interactions: () => [],
      ready: () => true,
      add: async interaction => void setInteraction(previewOf(interaction, preview().blocks)),
      remove: async () => {},
      dismiss: async () => {},
      retryDelivery: async () => {},
      recheckDelivery: async () => {},
    },
    viewer: () => previewViewer(preview().asked, mayDecide(), user()?.name ?? 'You'),
    refreshView: () => {},
    fetchLooks: null,
    canEdit: () => false,
    byName: () => false,
  }

  return {
    host,
    card: () => state.card,
    interaction,
    dismiss: () => setInteraction(undefined),
    mayDecide,
    chooseMayDecide,
  }
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

function createMemoryDrafts(): CardHost['drafts'] {
  const { drop, ...drafts } = createBlockValues<DraftValue>(Promise.resolve(undefined), async () => true)
  return {
    ...drafts,
    discard: drop,
    markSent: () => {},
    sentDraft: () => undefined,
    isSecret: (_, block) => isPassword(block),
    conceal: () => {},
  }
}
