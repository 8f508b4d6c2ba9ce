// A channel's Yjs document. Its roots: `pages` (page number → card id → card); `channel` (the head, `oldest_page`, `touched`
// and `acts`); `log` (a counter, for turns without a visible change). Only server/feed/ writes it: live-document.ts,
// tombstones.ts and epochs.ts use these functions, encoded-document.ts writes the same items as bytes.
import * as Y from 'yjs'
import type { Block } from './block.ts'
import type { BlockChange } from './blocks/definition.ts'
import type { KvRow } from './blocks/rows.ts'
import type { Card, CardStatus, PlacedCard } from './card.ts'
import type { ChannelHead } from './channel.ts'
import type { FirstCards } from './first-cards.ts'
import { LIVE_PAGES, PAGE_SIZE } from './limits.ts'
import { ownValue } from './own-value.ts'
import type { CardReceipts, HeaderReceipts } from './receipt.ts'

/** `id`, `position`, `status`, `created_at`, `updated_at`, `block_ids`, `key`, `block:<id>` per block: JSON, or a Y.Map for `kv`; and `acts:<block id>` per block with receipts: JSON. */
export type CardMap = Y.Map<unknown>
export type PageMap = Y.Map<CardMap>

export const blockKey = (blockId: string) => `block:${blockId}`
const receiptsKey = (blockId: string) => `acts:${blockId}`
export const pageOf = (position: number) => Math.floor(position / PAGE_SIZE)
export const oldestLivePage = (newestPage: number) => Math.max(0, newestPage - LIVE_PAGES + 1)

export const pagesOf = (doc: Y.Doc): Y.Map<PageMap> => doc.getMap('pages')
export const channelOf = (doc: Y.Doc): Y.Map<unknown> => doc.getMap('channel')

/** Archived page (decimal string) → seq of its last change, for pages that changed within the last hour. */
export function touchedOf(doc: Y.Doc): Y.Map<number> | undefined {
  const touched = channelOf(doc).get('touched')
  return touched instanceof Y.Map ? touched : undefined
}

export function oldestPageOf(doc: Y.Doc): number {
  return field<number | undefined>(channelOf(doc), 'oldest_page') ?? 0
}

export function readHead(doc: Y.Doc): ChannelHead | null {
  const map = channelOf(doc)
  if (!map.has('name')) return null
  return {
    name: field(map, 'name'),
    description: field(map, 'description'),
    icon: field(map, 'icon'),
    mode: field(map, 'mode'),
    actions: field(map, 'actions'),
  }
}

export function writeHead(doc: Y.Doc, head: Partial<ChannelHead>): void {
  const map = channelOf(doc)
  for (const [key, value] of Object.entries(head)) {
    if (JSON.stringify(map.get(key)) !== JSON.stringify(value)) map.set(key, value)
  }
}

export function findCard(doc: Y.Doc, id: string): CardMap | undefined {
  for (const page of pagesOf(doc).values()) {
    const card = page.get(id)
    if (card) return card
  }
  return undefined
}

export function readCard(map: CardMap, channel_id: string): PlacedCard {
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

function readCardReceipts(map: CardMap, blocks: Block[]): CardReceipts | undefined {
  const receipts = new Map<string, CardReceipts[string]>()
  for (const { id, type } of blocks) {
    const ofBlock =
      type === 'button' ? field<CardReceipts[string] | undefined>(map, receiptsKey(id)) : undefined
    if (ofBlock) receipts.set(id, ofBlock)
  }
  return receipts.size > 0 ? Object.fromEntries(receipts) : undefined
}

/** Makes `receipts` the card's receipts. Returns the number of new tombstones. */
export function writeCardReceipts(map: CardMap, blocks: Block[], receipts: CardReceipts): number {
  let tombstones = 0
  for (const { id, type } of blocks) {
    if (type !== 'button') continue
    const key = receiptsKey(id)
    const before = map.get(key)
    const now = ownValue(receipts, id)
    if (before === now) continue
    if (before !== undefined) tombstones++
    if (now) map.set(key, now)
    else map.delete(key)
  }
  return tombstones
}

export const headerReceiptsOf = (doc: Y.Doc) =>
  field<HeaderReceipts | undefined>(channelOf(doc), 'acts') ?? {}

export function writeHeaderReceipts(doc: Y.Doc, receipts: HeaderReceipts): void {
  if (Object.keys(receipts).length > 0) channelOf(doc).set('acts', receipts)
  else if (channelOf(doc).has('acts')) channelOf(doc).delete('acts')
}

function readBlock(map: CardMap, blockId: string): Block {
  const block = map.get(blockKey(blockId))
  if (!(block instanceof Y.Map)) return field(map, blockKey(blockId))
  return { type: 'kv', id: field(block, 'id'), rows: rowsOf(block).toArray() }
}

/** Oldest first. */
export function readPage(page: PageMap, channel_id: string): PlacedCard[] {
  return [...page.values()].map(card => readCard(card, channel_id)).sort((a, b) => a.position - b.position)
}

/** The newest cards, enough for a phone's screen. A larger screen fills up when the document arrives. */
const FIRST_CARDS = 6

/** Undefined until the document has arrived. */
export function firstCardsOf(doc: Y.Doc, channel_id: string): FirstCards | undefined {
  const head = readHead(doc)
  if (!head) return undefined
  const first: FirstCards = { head, pages: [] }
  let missing = FIRST_CARDS
  const newestFirst = [...pagesOf(doc)].sort(([a], [b]) => Number(b) - Number(a))
  for (const [number, page] of newestFirst) {
    if (missing === 0) break
    const cards = [...page.values()].sort((a, b) => positionOf(b) - positionOf(a)).slice(0, missing)
    first.pages.push({ page: Number(number), cards: cards.map(card => readCard(card, channel_id)) })
    missing -= cards.length
  }
  // The blocks are the document's own objects, and a store changes its objects in place.
  return structuredClone(first)
}

const positionOf = (card: CardMap) => Number(card.get('position'))

/** A new card's fields without its blocks, in the order in which they are written; encoded-document.ts relies on it. */
export function cardFields(card: PlacedCard): [string, unknown][] {
  const { id, position, status, created_at, updated_at, key, blocks } = card
  const block_ids = blocks.map(({ id }) => id)
  const fields = { id, position, status, created_at, updated_at }
  return Object.entries({ ...fields, ...(key !== undefined && { key }), block_ids })
}

export function insertCard(page: PageMap, card: PlacedCard): void {
  const map: CardMap = new Y.Map(cardFields(card))
  for (const block of card.blocks) map.set(blockKey(block.id), blockValue(block))
  for (const [blockId, receipts] of Object.entries(card.acts ?? {})) map.set(receiptsKey(blockId), receipts)
  page.set(card.id, map)
}

/** Writes only what a PATCH changed. Returns the number of values that it overwrote: Yjs keeps a tombstone for each. */
export function patchCardMap(map: CardMap, card: Card, changes: BlockChange<Block>[]): number {
  let tombstones = 0
  const set = (key: string, value: unknown) => {
    map.set(key, value)
    tombstones++
  }
  if (map.get('status') !== card.status) set('status', card.status)
  if (map.get('updated_at') !== card.updated_at) set('updated_at', card.updated_at)
  for (const { block, appended } of changes) {
    const key = blockKey(block.id)
    const current = map.get(key)
    // Rows that were only appended are added to the array. Any other change writes the block anew.
    if (block.type === 'kv' && current instanceof Y.Map && appended) {
      if (appended.length > 0) rowsOf(current).push(appended)
    } else if (JSON.stringify(readBlock(map, block.id)) !== JSON.stringify(block)) {
      set(key, blockValue(block))
    }
  }
  return tombstones
}

/** For a PUT by key: replaces the status and all blocks, and drops the receipts. Returns the number of new tombstones. */
export function replaceCardMap(map: CardMap, card: Card): number {
  const before = field<string[]>(map, 'block_ids').flatMap(id => [blockKey(id), receiptsKey(id)])
  const old = before.filter(key => map.has(key))
  for (const key of old) map.delete(key)
  map.set('status', card.status)
  map.set('updated_at', card.updated_at)
  const block_ids = card.blocks.map(({ id }) => id)
  map.set('block_ids', block_ids)
  for (const block of card.blocks) map.set(blockKey(block.id), blockValue(block))
  // The deleted blocks and receipts, and the three fields that were overwritten.
  return old.length + 3
}

/** About how many Yjs items a card takes in the document: one per entry, and some for the card itself and `kv` blocks. */
export const itemCount = (map: CardMap) => map.size + 5

function blockValue(block: Block): Block | Y.Map<unknown> {
  if (block.type !== 'kv') return block
  const rows = new Y.Array<KvRow>()
  rows.push(block.rows)
  return new Y.Map<unknown>(Object.entries({ id: block.id, type: block.type, rows }))
}

const rowsOf = (kv: Y.Map<unknown>) => field<Y.Array<KvRow>>(kv, 'rows')

/** The type is safe because only the functions above write the document. */
function field<T>(map: Y.Map<unknown>, key: string): T {
  return map.get(key) as T
}
