// The smallest PATCH that makes one card into another, by the rules of shared/card-patch.ts; or why there is none. Pure.
import type { Block, BlockOf, Button, KvRow } from '../../shared/block.ts'
import { blockPatches, buttonPatch } from '../../shared/block-patch.ts'
import type { Card, PatchCardBody } from '../../shared/card.ts'

export type CardContent = Pick<Card, 'status' | 'blocks'>
export type CardPatch =
  | { kind: 'same' }
  | { kind: 'patch'; body: PatchCardBody }
  /** Each reason is a sentence. */
  | { kind: 'impossible'; reasons: string[] }

export function patchBetween(before: CardContent, after: CardContent): CardPatch {
  const reasons = placesChanged(before.blocks, after.blocks)
  if (reasons.length > 0) return { kind: 'impossible', reasons }
  const blocks: NonNullable<PatchCardBody['blocks']> = []
  for (const [i, block] of after.blocks.entries()) {
    const was = before.blocks[i]
    if (!was || isSame(was, block)) continue
    const patch = blockPatch(was, block)
    if (typeof patch === 'string') reasons.push(patch)
    else blocks.push({ id: block.id, patch })
  }
  if (reasons.length > 0) return { kind: 'impossible', reasons }
  const body: PatchCardBody = {
    ...(before.status !== after.status && { status: after.status }),
    ...(blocks.length > 0 && { blocks }),
  }
  return Object.keys(body).length === 0 ? { kind: 'same' } : { kind: 'patch', body }
}

/** A PATCH changes blocks where they stand. */
function placesChanged(before: Block[], after: Block[]): string[] {
  const was = new Map(before.map(block => [block.id, block]))
  const is = new Map(after.map(block => [block.id, block]))
  const added = after.filter(({ id }) => !was.has(id)).map(block => `${named(block)} was added.`)
  const removed = before.filter(({ id }) => !is.has(id)).map(block => `${named(block)} was removed.`)
  const turned = after.flatMap(block => {
    const type = was.get(block.id)?.type
    return type && type !== block.type ? [`Block “${block.id}” was a ${type} and is a ${block.type}.`] : []
  })
  const stayed = before.filter(({ id }) => is.has(id)).map(({ id }) => id)
  const inOrder = after.filter(({ id }) => was.has(id)).every(({ id }, i) => id === stayed[i])
  return [...added, ...removed, ...turned, ...(inOrder ? [] : ['The blocks stand in another order.'])]
}

const named = ({ type, id }: Block) => `The ${type} block “${id}”`

/** The patch, or why there is none. The two blocks differ, and have one type. */
function blockPatch(before: Block, after: Block): Record<string, unknown> | string {
  if (before.type === 'kv' && after.type === 'kv') return kvPatch(before.rows, after.rows)
  if (before.type === 'button' && after.type === 'button') return buttonsPatch(before, after)
  if (before.type === 'multiselect' && after.type === 'multiselect') {
    if (before.label !== undefined && after.label === undefined)
      return `The label of ${named(after).replace('The', 'the')} can be changed, but not taken away.`
  }
  return fieldsPatch(before, after, Object.keys(blockPatches[after.type].shape))
}

function kvPatch(before: KvRow[], after: KvRow[]): Record<string, unknown> {
  const grown = before.length < after.length && isSame(before, after.slice(0, before.length))
  return grown ? { append_rows: after.slice(before.length) } : { rows: after }
}

function buttonsPatch(before: BlockOf<'button'>, after: BlockOf<'button'>): Record<string, unknown> | string {
  const kept = before.buttons.every((button, i) => button.id === after.buttons[i]?.id)
  if (!kept)
    return `Buttons of ${named(after).replace('The', 'the')} were removed, moved, or added before others: a PATCH adds them at the end.`
  const buttons = after.buttons.flatMap((button, i): object[] => {
    const was = before.buttons[i]
    if (!was) return [button]
    return isSame(was, button) ? [] : [{ id: button.id, patch: buttonFields(was, button) }]
  })
  return { buttons }
}

const buttonFields = (before: Button, after: Button) =>
  fieldsPatch(before, after, Object.keys(buttonPatch.shape))

/** What differs. null clears what is not there any more. */
function fieldsPatch(before: object, after: object, names: string[]): Record<string, unknown> {
  const changed = names.filter(name => !isSame(Reflect.get(before, name), Reflect.get(after, name)))
  return Object.fromEntries(changed.map(name => [name, Reflect.get(after, name) ?? null]))
}

/** Of JSON; the order of fields does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  return [...names].every(name => isSame(Reflect.get(a, name), Reflect.get(b, name)))
}
