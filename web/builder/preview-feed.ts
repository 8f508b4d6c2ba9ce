// A feed of one card that is not anywhere yet, for the components that viewers see. It keeps nothing and sends
// nothing: what somebody does in it is only told.
import { createEffect, createSignal, on } from 'solid-js'
import { createStore, produce } from 'solid-js/store'
import { type Block, block as blockSchema } from '../../shared/block.ts'
import { type CardStatus, cardStatus, type PlacedCard } from '../../shared/card.ts'
import { type CardStateEntry, cardState, type Value } from '../../shared/card-state.ts'
import { createArchive } from '../data/channel/archive.ts'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { createFeedStore } from '../data/channel/feed-store.ts'
import type { CardDrafts } from '../data/drafts/drafts.ts'
import type { Drafts } from '../data/local-copy/drafts.ts'
import type { LocalInteraction } from '../data/outbox/interaction.ts'
import type { Outbox } from '../data/outbox/outbox.ts'
import { asList, blocksOf, freeId, getIn, isFields } from './card-value.ts'

export const PREVIEW = 'preview'

/** What an automation would get of an act, but for ids and times. */
export type Told = { label: string; trigger: Record<string, unknown>; card_state: CardStateEntry[] }

export type Shown = {
  status: CardStatus
  blocks: Block[]
  /** How many have errors: they are shown as they last were right. */
  wrong: number
  /** How many of them never were right, and are left out. */
  missing: number
}

/** Shows each block as it last was right. `keys` tell the blocks apart. */
export function makeShown() {
  const lastRight = new Map<number, Block>()

  return (value: unknown, keys: readonly number[]): Shown => {
    const ids = new Set<unknown>()
    const buttonIds: string[] = []
    let wrong = 0
    let missing = 0
    const blocks = blocksOf(value).flatMap((given, i) => {
      const key = keys[i] ?? i
      const result = blockSchema.safeParse(withIds(given, key, ids, buttonIds))
      if (!result.success) wrong++
      if (result.success) lastRight.set(key, result.data)
      const shown = lastRight.get(key)
      if (shown) ids.add(shown.id)
      else missing++
      return shown ?? []
    })
    const status = cardStatus.safeParse(getIn(value, ['status']) ?? 'default')
    return { status: status.success ? status.data : 'default', blocks, wrong, missing }
  }
}

/** The same ids every time where none are given, and no id twice: the screen tells blocks apart by them. */
function withIds(given: unknown, key: number, ids: Set<unknown>, buttonIds: string[]): unknown {
  if (!isFields(given)) return given
  const id = given.id === undefined || ids.has(given.id) ? `${PREVIEW}-${key}` : given.id
  if (given.type !== 'button') return { ...given, id }
  const buttons = asList(given.buttons).map((button, i) => {
    if (!isFields(button)) return button
    const wish = typeof button.id === 'string' && button.id !== '' ? button.id : `${PREVIEW}-${key}-${i}`
    const free = freeId(wish, buttonIds)
    buttonIds.push(free)
    return { ...button, id: free }
  })
  return { ...given, id, ...(Array.isArray(given.buttons) && { buttons }) }
}

/** `createdAt`: of the card that is being changed; a new one is of now. */
export function createPreviewFeed(shown: () => Shown, createdAt?: () => string | undefined) {
  const store = createFeedStore()
  const drafts = createPassingDrafts()
  const [told, setTold] = createSignal<Told>()
  const now = new Date().toISOString()

  createEffect(
    on(shown, ({ status, blocks }, before) => {
      const was = new Map(before?.blocks.map(block => [block.id, JSON.stringify(block)]))
      // What was tried in a block gives way to what is written about it.
      for (const block of blocks) {
        const known = was.get(block.id)
        if (known !== undefined && known !== JSON.stringify(block)) drafts.discard(PREVIEW, block.id)
      }
      const created_at = createdAt?.() ?? now
      const times = { created_at, updated_at: created_at, position: 0 }
      // A copy: the store patches what it shows in place.
      const card: PlacedCard = {
        id: PREVIEW,
        channel_id: PREVIEW,
        status,
        blocks: structuredClone(blocks),
        ...times,
      }
      store.setPage(0, [card])
    }),
  )

  const feed: ChannelFeed = {
    id: PREVIEW,
    state: store.state,
    ids: store.ids,
    archive: createArchive(PREVIEW, store),
    drafts,
    link: () => ({ state: 'live' }),
    view: () => undefined,
    knownAt: () => undefined,
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
    add: async interaction => void setTold(toldOf(interaction, shown().blocks)),
    remove: async () => {},
    retryDelivery: async () => {},
    wake: async () => {},
  }

  return { feed, outbox, told, forget: () => setTold(undefined) }
}

function toldOf({ body, label }: LocalInteraction, blocks: Block[]): Told {
  const values = new Map<string, Value>(Object.entries(body?.values ?? {}))
  const trigger = body?.trigger
  if (trigger?.type !== 'input_change')
    return { label, trigger: { ...trigger, label }, card_state: cardState(blocks, values) }
  values.set(trigger.block_id, trigger.value)
  const block_type = blocks.find(({ id }) => id === trigger.block_id)?.type
  const { type, block_id, value } = trigger
  return { label, trigger: { type, block_id, block_type, value }, card_state: cardState(blocks, values) }
}

/** Drafts that live as long as the page. */
function createPassingDrafts(): CardDrafts {
  const [drafts, setDrafts] = createStore<Drafts>({})
  return {
    read: (cardId, blockId) => drafts[cardId]?.[blockId],
    write: (cardId, blockId, value) => setDrafts(cardId, (card = {}) => ({ ...card, [blockId]: value })),
    discard: (cardId, blockId) => setDrafts(produce(all => delete all[cardId]?.[blockId])),
    dropCard: cardId => setDrafts(produce(all => delete all[cardId])),
    markSent: () => {},
    sentDraft: () => undefined,
    restored: Promise.resolve(),
    stop: () => {},
    discardUnsaved: () => {},
  }
}
