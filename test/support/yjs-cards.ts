// Writes cards into a document with Yjs itself, as a judge of what the service writes as bytes.
import * as Y from 'yjs'
import { cardFields } from '../../server/feed/document/card-map.ts'
import type { Block } from '../../shared/block.ts'
import type { BlockChange } from '../../shared/blocks/definition.ts'
import type { KvRow } from '../../shared/blocks/rows.ts'
import type { Card, PlacedCard } from '../../shared/card.ts'
import type { ChannelHead } from '../../shared/channel.ts'
import {
  blockKey,
  type CardMap,
  channelOf,
  oldestLivePage,
  oldestPageOf,
  type PageMap,
  pageOf,
  pagesOf,
  readBlock,
  receiptsKey,
} from '../../shared/channel-doc.ts'
import { ownValue } from '../../shared/own-value.ts'
import type { CardReceipts } from '../../shared/receipt.ts'

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

/** A sixth page archives the oldest one. */
export function appendCard(doc: Y.Doc, card: PlacedCard): void {
  const pages = pagesOf(doc)
  const number = pageOf(card.position)
  const oldest = oldestLivePage(number)
  if (!pages.has(String(number)) && oldest > oldestPageOf(doc)) {
    for (const page of [...pages.keys()]) if (Number(page) < oldest) pages.delete(page)
    channelOf(doc).set('oldest_page', oldest)
  }
  const page: PageMap = pages.get(String(number)) ?? new Y.Map()
  if (!pages.has(String(number))) pages.set(String(number), page)
  insertCard(page, card)
}

export function insertCard(page: PageMap, card: PlacedCard): void {
  const map: CardMap = new Y.Map(cardFields(card))
  for (const block of card.blocks) map.set(blockKey(block.id), blockValue(block))
  for (const [blockId, receipts] of Object.entries(card.acts ?? {})) map.set(receiptsKey(blockId), receipts)
  page.set(card.id, map)
}

/** Writes only what a PATCH changed. */
export function patchCardMap(map: CardMap, card: Card, changes: BlockChange<Block>[]): void {
  if (map.get('status') !== card.status) map.set('status', card.status)
  if (map.get('updated_at') !== card.updated_at) map.set('updated_at', card.updated_at)
  for (const { block, appended } of changes) {
    const key = blockKey(block.id)
    const current = map.get(key)
    // Rows that were only appended are added to the array. Any other change writes the block anew.
    if (block.type === 'kv' && current instanceof Y.Map && appended) {
      if (appended.length > 0) rowsOf(current).push(appended)
    } else if (JSON.stringify(readBlock(map, block.id)) !== JSON.stringify(block)) {
      map.set(key, blockValue(block))
    }
  }
}

/** Makes `receipts` the card's receipts. */
export function writeCardReceipts(map: CardMap, blocks: Block[], receipts: CardReceipts): void {
  for (const { id, type } of blocks) {
    if (type !== 'button') continue
    const key = receiptsKey(id)
    const before = map.get(key)
    const now = ownValue(receipts, id)
    if (before === now) continue
    if (now) map.set(key, now)
    else map.delete(key)
  }
}

function blockValue(block: Block): Block | Y.Map<unknown> {
  if (block.type !== 'kv') return block
  const rows = new Y.Array<KvRow>()
  rows.push(block.rows)
  return new Y.Map<unknown>(Object.entries({ id: block.id, type: block.type, rows }))
}

const rowsOf = (kv: Y.Map<unknown>) => kv.get('rows') as Y.Array<KvRow>
