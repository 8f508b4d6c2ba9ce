// Applies a PATCH to a card: pure, all or nothing. The schemas of new cards check the result.
import { BLOCK_DEFINITIONS, type Block, type BlockOf, type BlockType } from './block.ts'
import { type BlockChange, onlyFields, type PatchPlace } from './blocks/definition.ts'
import type { Card, PatchCardBody } from './card.ts'
import { Invalid } from './invalid.ts'

/** An empty patch changes nothing, not even `updated_at`. */
export function isEmptyPatch(body: PatchCardBody): boolean {
  return body.status === undefined && (body.blocks === undefined || body.blocks.length === 0)
}

/** Throws `Invalid` for the first wrong item. `now` (ISO 8601) becomes `updated_at`. */
export function patchCard(
  card: Card,
  body: PatchCardBody,
  now: string,
): { card: Card; changes: BlockChange<Block>[] } {
  if (isEmptyPatch(body)) return { card, changes: [] }
  const blocks = [...card.blocks]
  const buttonIds = new Set(
    blocks.flatMap(block => (block.type === 'button' ? block.buttons.map(({ id }) => id) : [])),
  )
  const changes = new Map<string, BlockChange<Block>>()
  for (const [i, { id, patch }] of (body.blocks ?? []).entries()) {
    const at = blocks.findIndex(candidate => candidate.id === id)
    const current = blocks[at]
    if (!current) throw new Invalid(['blocks', i], `: no block with id "${id}"`, 'unknown_block')
    const change = patchBlock(current.type, current, patch, { at: ['blocks', i], buttonIds })
    const earlier = changes.get(id)
    // Rows appended to replaced rows are part of the replacement.
    const appended =
      change.appended && earlier
        ? earlier.appended && [...earlier.appended, ...change.appended]
        : change.appended
    blocks[at] = change.block
    changes.set(id, { block: change.block, appended })
  }
  const patched = { ...card, status: body.status ?? card.status, blocks, updated_at: now }
  return { card: patched, changes: [...changes.values()] }
}

function patchBlock<T extends BlockType>(
  type: T,
  current: BlockOf<T>,
  patch: Record<string, unknown>,
  place: PatchPlace,
): BlockChange<Block> {
  const { patch: allowed, change } = BLOCK_DEFINITIONS[type]
  onlyFields(
    patch,
    allowed,
    [...place.at, 'patch'],
    /^[aeiou]/.test(type) ? `an ${type} block` : `a ${type} block`,
  )
  return change(current, patch, place)
}
