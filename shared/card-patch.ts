// Applies a PATCH to a card: pure, all or nothing. The schemas of new cards check the result.
import type { z } from 'zod'
import { type Block, type BlockOf, block, button, type KvRow, kvRows } from './block.ts'
import { blockPatches, buttonPatch } from './block-patch.ts'
import type { Card, PatchCardBody } from './card.ts'
import { Invalid, type Path, parse, REQUIRED } from './invalid.ts'
import { isJsonObject } from './json-object.ts'
import { BUTTONS_MAX, KV_ROWS_MAX } from './limits.ts'

/** A changed block. `appended`: its new rows, if nothing else changed, so that the document writes only those. */
export type BlockChange = { block: Block; appended: KvRow[] | null }

/** An empty patch changes nothing, not even `updated_at`. */
export function isEmptyPatch(body: PatchCardBody): boolean {
  return body.status === undefined && (body.blocks === undefined || body.blocks.length === 0)
}

/** Throws `Invalid` for the first wrong item. `now` (ISO 8601) becomes `updated_at`. */
export function patchCard(
  card: Card,
  body: PatchCardBody,
  now: string,
): { card: Card; changes: BlockChange[] } {
  if (isEmptyPatch(body)) return { card, changes: [] }
  const blocks = [...card.blocks]
  const buttonIds = new Set(
    blocks.flatMap(block => (block.type === 'button' ? block.buttons.map(({ id }) => id) : [])),
  )
  const changes = new Map<string, BlockChange>()
  for (const [i, { id, patch }] of (body.blocks ?? []).entries()) {
    const at = blocks.findIndex(candidate => candidate.id === id)
    const current = blocks[at]
    if (!current) throw new Invalid(['blocks', i], `: no block with id "${id}"`, 'unknown_block')
    const change = patchBlock(current, patch, i, buttonIds)
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

/** `buttonIds`: of all buttons of the card. New buttons add theirs. */
function patchBlock(
  current: Block,
  patch: Record<string, unknown>,
  i: number,
  buttonIds: Set<string>,
): BlockChange {
  const path: Path = ['blocks', i, 'patch']
  onlyFields(
    patch,
    blockPatches[current.type],
    path,
    current.type === 'input' ? 'an input block' : `a ${current.type} block`,
  )
  if (current.type === 'kv') return patchKv(current, patch, path)
  if (current.type === 'button') return { block: patchButtons(current, patch, i, buttonIds), appended: null }
  return { block: parse(block, { ...withoutRepeats(current), ...patch }, path), appended: null }
}

/** A multiselect of an old card may repeat values, and must stay patchable. */
function withoutRepeats(block: Block): Block {
  return block.type === 'multiselect' ? { ...block, value: [...new Set(block.value)] } : block
}

function patchKv(current: BlockOf<'kv'>, patch: Record<string, unknown>, path: Path): BlockChange {
  if ('rows' in patch && 'append_rows' in patch) {
    throw new Invalid([...path, 'append_rows'], 'cannot be used together with rows')
  }
  if ('rows' in patch) {
    return { block: { ...current, rows: parse(kvRows, patch.rows, [...path, 'rows']) }, appended: null }
  }
  if (!('append_rows' in patch)) return { block: current, appended: [] }
  const appended = parse(kvRows, patch.append_rows, [...path, 'append_rows'])
  const rows = [...current.rows, ...appended]
  if (rows.length > KV_ROWS_MAX) {
    throw new Invalid([...path, 'append_rows'], `must leave at most ${KV_ROWS_MAX} rows`)
  }
  return { block: { ...current, rows }, appended }
}

function patchButtons(
  current: BlockOf<'button'>,
  patch: Record<string, unknown>,
  i: number,
  buttonIds: Set<string>,
): Block {
  const path: Path = ['blocks', i, 'patch', 'buttons']
  if (!('buttons' in patch)) return current
  if (!Array.isArray(patch.buttons)) throw new Invalid(path, 'must be an array')
  const buttons = [...current.buttons]
  const asks = current.decision !== undefined || patch.decision !== undefined
  const items: unknown[] = patch.buttons
  for (const [j, item] of items.entries()) {
    if (!isJsonObject(item)) throw new Invalid([...path, j], 'must be an object')
    if (!('patch' in item)) {
      if (buttons.length === BUTTONS_MAX) throw new Invalid(path, `must leave at most ${BUTTONS_MAX} buttons`)
      const added = parse(button, item, [...path, j])
      if (buttonIds.has(added.id)) throw new Invalid([...path, j, 'id'], 'must be unique in the card')
      if (added.comment !== undefined && !asks) throw strayComment([...path, j])
      buttonIds.add(added.id)
      buttons.push(added)
      continue
    }
    if (!isJsonObject(item.patch)) throw new Invalid([...path, j, 'patch'], 'must be an object')
    if (item.id === undefined) throw new Invalid([...path, j, 'id'], REQUIRED)
    if (typeof item.id !== 'string') throw new Invalid([...path, j, 'id'], 'must be a string')
    const at = buttons.findIndex(candidate => candidate.id === item.id)
    if (at < 0)
      throw new Invalid(['blocks', i, 'buttons', j], `: no button with id "${item.id}"`, 'unknown_button')
    onlyFields(item.patch, buttonPatch, [...path, j, 'patch'], 'a button')
    const patched = parse(button, { ...buttons[at], ...item.patch }, [...path, j, 'patch'])
    if (patched.comment !== undefined && !asks) throw strayComment([...path, j, 'patch'])
    buttons[at] = patched
  }
  return parse(block, { ...current, buttons }, ['blocks', i, 'patch'])
}

const strayComment = (path: Path) => new Invalid([...path, 'comment'], 'goes with a decision')

function onlyFields(patch: object, { shape }: z.ZodObject, path: Path, owner: string): void {
  const foreign = Object.keys(patch).find(field => !Object.hasOwn(shape, field))
  if (foreign !== undefined)
    throw new Invalid([...path, foreign], `is not a field of ${owner} that can be patched`)
}
