// The size of a card: its blocks as a GET returns them, in bytes of UTF-8 JSON.
import type { Block } from './block.ts'
import { Invalid } from './invalid.ts'
import { CARD_MAX_BYTES } from './limits.ts'

const utf8 = new TextEncoder()

const sizeOf = (blocks: Block[]) => utf8.encode(JSON.stringify(blocks)).length

/**
 * Returns the size of the blocks. Throws `Invalid` if it is above the limit, and also above that of the blocks `before`
 * the change: a card from before the limit may stay as large as it is. `before` is null for a new card.
 */
export function checkSize(blocks: Block[], before: Block[] | null): number {
  const bytes = sizeOf(blocks)
  if (bytes > CARD_MAX_BYTES && (before === null || bytes > sizeOf(before)))
    throw new Invalid(['blocks'], `must take at most ${CARD_MAX_BYTES} bytes as JSON`, 'card_too_large')
  return bytes
}
