// A channel's Yjs document, and how it is read. Its roots: `pages` (page number → card id → card); `channel` (the head,
// `oldest_page`, `touched` and `acts`); `log` (a counter, for turns without a visible change). Only server/feed/document/
// writes it, as bytes.
import type * as Y from 'yjs'
import type { Block } from './block.ts'
import type { KvRow } from './blocks/rows.ts'
import type { CardStatus, PlacedCard } from './card.ts'
import type { ChannelHead } from './channel.ts'
import type { FirstCards } from './first-cards.ts'
import { LIVE_PAGES, PAGE_SIZE } from './limits.ts'
import type { CardReceipts, HeaderReceipts } from './receipt.ts'

/** What these functions need of a `Y.Map`. The server's documents are bytes, with maps of their own. */
export type ReadableMap = {
  has(key: string): boolean
  get(key: string): unknown
  values(): Iterable<unknown>
}

/** `id`, `position`, `status`, `created_at`, `updated_at`, `block_ids`, `key`, `block:<id>` per block: JSON, or a Y.Map for `kv`; and `acts:<block id>` per block with receipts: JSON. */
export type CardMap = Y.Map<unknown>
export type PageMap = Y.Map<CardMap>

export const blockKey = (blockId: string) => `block:${blockId}`
export const receiptsKey = (blockId: string) => `acts:${blockId}`
export const pageOf = (position: number) => Math.floor(position / PAGE_SIZE)
export const oldestLivePage = (newestPage: number) => Math.max(0, newestPage - LIVE_PAGES + 1)

export const pagesOf = (doc: Y.Doc): Y.Map<PageMap> => doc.getMap('pages')
export const channelOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('channel')

/** By number, newest first. */
export const newestPages = (doc: Y.Doc): [number, PageMap][] =>
  [...pagesOf(doc)]
    .map(([number, page]): [number, PageMap] => [Number(number), page])
    .sort(([a], [b]) => b - a)

/** Archived page (decimal string) → seq of its last change, for pages that changed within the last hour. */
export function touchedOf(doc: Y.Doc): Y.Map<number> | undefined {
  return field<Y.Map<number> | undefined>(channelOf(doc), 'touched')
}

export function oldestPageOf(doc: Y.Doc): number {
  return field<number | undefined>(channelOf(doc), 'oldest_page') ?? 0
}

/** `map`: the root `channel`. Null until the document has arrived. */
export function readHead(map: ReadableMap): ChannelHead | null {
  if (!map.has('name')) return null
  return {
    name: field(map, 'name'),
    description: field(map, 'description'),
    icon: field(map, 'icon'),
    mode: field(map, 'mode'),
    actions: field(map, 'actions'),
  }
}

export function readCard(map: ReadableMap, channel_id: string): PlacedCard {
  const card: PlacedCard = {
    id: field(map, 'id'),
    channel_id,
    status: field<CardStatus>(map, 'status'),
    blocks: field<string[]>(map, 'block_ids').map(id => readBlock(map, id)),
    created_at: field(map, 'created_at'),
    updated_at: field(map, 'updated_at'),
    position: field(map, 'position'),
  }
  const key = field<string | undefined>(map, 'key')
  if (key !== undefined) card.key = key
  const receipts = readCardReceipts(map, card.blocks)
  if (receipts) card.acts = receipts
  return card
}

function readCardReceipts(map: ReadableMap, blocks: Block[]): CardReceipts | undefined {
  const receipts = new Map<string, CardReceipts[string]>()
  for (const { id, type } of blocks) {
    const ofBlock =
      type === 'button' ? field<CardReceipts[string] | undefined>(map, receiptsKey(id)) : undefined
    if (ofBlock) receipts.set(id, ofBlock)
  }
  return receipts.size > 0 ? Object.fromEntries(receipts) : undefined
}

/** `map`: the root `channel`. */
export const headerReceiptsOf = (map: ReadableMap) => field<HeaderReceipts | undefined>(map, 'acts') ?? {}

export function readBlock(map: ReadableMap, blockId: string): Block {
  const block = map.get(blockKey(blockId))
  if (!isMap(block)) return field(map, blockKey(blockId))
  const rows = field<{ toArray(): KvRow[] }>(block, 'rows')
  return { type: 'kv', id: field(block, 'id'), rows: rows.toArray() }
}

/** JSON has no functions. */
const isMap = (value: unknown): value is ReadableMap =>
  typeof value === 'object' && value !== null && 'get' in value && typeof value.get === 'function'

/** Oldest first. */
export function readPage(page: ReadableMap, channel_id: string): PlacedCard[] {
  const cards = [...page.values()].filter(isMap).map(card => readCard(card, channel_id))
  return cards.sort((a, b) => a.position - b.position)
}

/** The newest cards, enough for a phone's screen. A larger screen fills up when the document arrives. */
const FIRST_CARDS = 6

/** `channel`: the root. `pages`: by number, newest first. Undefined until the document has arrived. */
export function firstCardsOf(
  channel: ReadableMap,
  pages: Iterable<[number, ReadableMap]>,
  channel_id: string,
): FirstCards | undefined {
  const head = readHead(channel)
  if (!head) return undefined
  const first: FirstCards = { head, pages: [] }
  let missing = FIRST_CARDS
  for (const [page, map] of pages) {
    const newest = [...map.values()].filter(isMap).sort((a, b) => positionOf(b) - positionOf(a))
    const cards = newest.slice(0, missing).map(card => readCard(card, channel_id))
    first.pages.push({ page, cards })
    missing -= cards.length
    if (missing === 0) break
  }
  // The blocks may be the document's own objects, and a store changes its objects in place.
  return structuredClone(first)
}

const positionOf = (card: ReadableMap) => field<number>(card, 'position')

/** The type is safe because only the server writes the document. */
function field<T>(map: ReadableMap, key: string): T {
  return map.get(key) as T
}
