// Writes cards into a document. shared/channel-doc.ts describes their maps, and reads them.
import type { Block, BlockOf } from '../../../shared/block.ts'
import type { BlockChange } from '../../../shared/blocks/definition.ts'
import type { Card, PlacedCard } from '../../../shared/card.ts'
import { blockKey, readBlock, receiptsKey } from '../../../shared/channel-doc.ts'
import { ownValue } from '../../../shared/own-value.ts'
import type { CardReceipts } from '../../../shared/receipt.ts'
import { EncodedArray, type EncodedMap } from './contents.ts'
import type { UpdateWriter } from './update-writer.ts'

/** A new card's fields without its blocks, in the order in which they are written. */
export function cardFields(card: PlacedCard): [string, unknown][] {
  const { id, position, status, created_at, updated_at, key, blocks } = card
  const block_ids = blocks.map(({ id }) => id)
  const fields = { id, position, status, created_at, updated_at }
  return Object.entries({ ...fields, ...(key !== undefined && { key }), block_ids })
}

/** `page`: the clock of the page's map. */
export function insertCard(writer: UpdateWriter, page: number, card: PlacedCard): void {
  const map = writer.map(page, card.id)
  for (const [key, value] of cardFields(card)) writer.value(map, key, value)
  for (const block of card.blocks) {
    if (block.type === 'kv') writeKv(writer, writer.map(map, blockKey(block.id)), block)
    else writer.value(map, blockKey(block.id), block)
  }
  for (const [blockId, receipts] of Object.entries(card.acts ?? {}))
    writer.value(map, receiptsKey(blockId), receipts)
}

function writeKv(writer: UpdateWriter, map: number, { id, type, rows }: BlockOf<'kv'>): void {
  writer.value(map, 'id', id)
  writer.value(map, 'type', type)
  const array = writer.array(map, 'rows')
  if (rows.length > 0) writer.elements(array, rows)
}

/** Writes only what a PATCH changed. */
export function writePatch(map: EncodedMap, card: Card, changes: BlockChange<Block>[]): void {
  if (map.get('status') !== card.status) map.set('status', card.status)
  if (map.get('updated_at') !== card.updated_at) map.set('updated_at', card.updated_at)
  for (const { block, appended } of changes) {
    const current = map.getMap(blockKey(block.id))
    // Rows that were only appended are added to the array. Any other change writes the block anew.
    if (block.type === 'kv' && current && appended) {
      if (appended.length > 0) rowsOf(current).push(appended)
    } else if (JSON.stringify(readBlock(map, block.id)) !== JSON.stringify(block)) {
      setBlock(map, block)
    }
  }
}

/** For a PUT by key: replaces the status and all blocks, and drops the receipts. */
export function writeReplacement(map: EncodedMap, card: Card): void {
  const before = map.get('block_ids') as string[]
  for (const id of before) {
    map.delete(blockKey(id))
    map.delete(receiptsKey(id))
  }
  map.set('status', card.status)
  map.set('updated_at', card.updated_at)
  map.set(
    'block_ids',
    card.blocks.map(({ id }) => id),
  )
  for (const block of card.blocks) setBlock(map, block)
}

/** Makes `receipts` the card's receipts. */
export function writeCardReceipts(map: EncodedMap, blocks: Block[], receipts: CardReceipts): void {
  for (const { id, type } of blocks) {
    if (type !== 'button') continue
    const now = ownValue(receipts, id)
    if (JSON.stringify(map.get(receiptsKey(id))) === JSON.stringify(now)) continue
    if (now) map.set(receiptsKey(id), now)
    else map.delete(receiptsKey(id))
  }
}

function setBlock(map: EncodedMap, block: Block): void {
  if (block.type !== 'kv') return map.set(blockKey(block.id), block)
  const kv = map.setMap(blockKey(block.id))
  kv.set('id', block.id)
  kv.set('type', block.type)
  kv.setArray('rows', block.rows)
}

function rowsOf(kv: EncodedMap): EncodedArray {
  const rows = kv.get('rows')
  if (!(rows instanceof EncodedArray)) throw new Error('a kv block has no rows')
  return rows
}
