// A feed with one card that is in no channel yet, for the preview. It saves and sends nothing.
import { createEffect, createSignal, on } from 'solid-js'
import { type Block, block as blockSchema } from '../../shared/block.ts'
import { type CardStatus, cardStatus, type PlacedCard } from '../../shared/card.ts'
import { type CardStateEntry, cardState, type Value } from '../../shared/card-state.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { createArchive } from '../data/channel/archive.ts'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { createFeedStore } from '../data/channel/feed-store.ts'
import { createBlockValues } from '../data/drafts/block-values-store.ts'
import type { CardDrafts } from '../data/drafts/drafts.ts'
import type { DraftValue } from '../data/local-copy/drafts.ts'
import type { LocalInteraction } from '../data/outbox/interaction.ts'
import type { Outbox } from '../data/outbox/outbox.ts'
import { asList, blocksOf, freeId, getIn } from './card-value.ts'

export const PREVIEW = 'preview'

/** `sent` is what a webhook would receive, without ids and times. */
export type PreviewedInteraction = {
  label: string
  sent: { trigger: object; card_state: CardStateEntry[] }
}

export type PreviewCard = {
  status: CardStatus
  blocks: Block[]
  /** How many blocks have errors. `blocks` has their last valid versions. */
  wrong: number
  /** How many of them were never valid and are left out. */
  missing: number
}

/** The returned function remembers the last valid version of each block, by its key. */
export function makePreviewCards() {
  const lastValid = new Map<number, Block>()

  return (value: unknown, keys: readonly number[]): PreviewCard => {
    const ids = new Set<unknown>()
    const buttonIds: string[] = []
    let wrong = 0
    let missing = 0
    const blocks = blocksOf(value).flatMap((given, i) => {
      const key = keys[i] ?? i
      const result = blockSchema.safeParse(withIds(given, key, ids, buttonIds))
      if (result.success) lastValid.set(key, result.data)
      else wrong++
      const valid = lastValid.get(key)
      if (valid) ids.add(valid.id)
      else missing++
      return valid ?? []
    })
    const status = cardStatus.safeParse(getIn(value, ['status']) ?? 'default')
    return { status: status.success ? status.data : 'default', blocks, wrong, missing }
  }
}

/** Replaces missing and repeated ids, always by the same ids: the components identify blocks by them. */
function withIds(given: unknown, key: number, ids: Set<unknown>, buttonIds: string[]): unknown {
  if (!isJsonObject(given)) return given
  const id = given.id === undefined || ids.has(given.id) ? `${PREVIEW}-${key}` : given.id
  if (given.type !== 'button') return { ...given, id }
  const buttons = asList(given.buttons).map((button, i) => {
    if (!isJsonObject(button)) return button
    const wish = typeof button.id === 'string' && button.id !== '' ? button.id : `${PREVIEW}-${key}-${i}`
    const free = freeId(wish, buttonIds)
    buttonIds.push(free)
    return { ...button, id: free }
  })
  return { ...given, id, ...(Array.isArray(given.buttons) && { buttons }) }
}

export type PreviewFeed = ReturnType<typeof createPreviewFeed>

/** Without `createdAt` the card is created now. */
export function createPreviewFeed(preview: () => PreviewCard, createdAt?: () => string | undefined) {
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

  const feed: ChannelFeed = {
    id: PREVIEW,
    state: store.state,
    ids: store.ids,
    archive: createArchive(PREVIEW, store, () => false),
    drafts,
    link: () => ({ state: 'live' }),
    view: () => undefined,
    viewer: () => undefined,
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
    wake: async () => {},
  }

  return { feed, outbox, interaction, dismiss: () => setInteraction(undefined) }
}

function previewOf({ body, label }: LocalInteraction, blocks: Block[]): PreviewedInteraction {
  const values = new Map<string, Value>(Object.entries(body?.values ?? {}))
  let trigger: object = { ...body?.trigger, label }
  if (body?.trigger?.type === 'input_change') {
    const { type, block_id, value } = body.trigger
    values.set(block_id, value)
    trigger = { type, block_id, block_type: blocks.find(({ id }) => id === block_id)?.type, value }
  }
  return { label, sent: { trigger, card_state: cardState(blocks, values) } }
}

function createMemoryDrafts(): CardDrafts {
  const { drop, ...drafts } = createBlockValues<DraftValue>(Promise.resolve(undefined), async () => {})
  return {
    ...drafts,
    discard: drop,
    markSent: () => {},
    sentDraft: () => undefined,
    stop: () => {},
  }
}
