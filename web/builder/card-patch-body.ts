// The smallest PATCH that turns one card into another (rules: shared/card-patch.ts), or why none can. Pure.
import { equalityDeep } from 'lib0/function'
import { BLOCK_DEFINITIONS, type Block, type BlockOf } from '../../shared/block.ts'
import { buttonPatch } from '../../shared/blocks/button.ts'
import type { KvRow } from '../../shared/blocks/rows.ts'
import type { DecisionRequest, PatchCardBody } from '../../shared/card.ts'
import { questionPatch } from './question-patch.ts'
import type { CardContent } from './strip-defaults.ts'

/** The card to be sent, with its questions apart. */
export type ContentWithQuestions = CardContent & { questions?: DecisionRequest[] }
export type CardPatch =
  | { kind: 'same' }
  | { kind: 'patch'; body: PatchCardBody }
  | { kind: 'impossible'; reasons: string[] }

export function patchBetween(before: CardContent, after: ContentWithQuestions): CardPatch {
  const reasons = structureChanges(before.blocks, after.blocks)
  if (reasons.length > 0) return { kind: 'impossible', reasons }
  const blocks: NonNullable<PatchCardBody['blocks']> = []
  for (const [i, block] of after.blocks.entries()) {
    const old = before.blocks[i]
    if (!old) continue
    const question = after.questions?.find(({ block_id }) => block_id === block.id)
    const patches = [fieldChanges(old, block), questionChanges(old, question)]
    reasons.push(...patches.filter(patch => typeof patch === 'string'))
    const patch: Record<string, unknown> = Object.assign({}, ...patches)
    if (Object.keys(patch).length > 0) blocks.push({ id: block.id, patch })
  }
  if (reasons.length > 0) return { kind: 'impossible', reasons }
  const body: PatchCardBody = {
    ...(before.status !== after.status && { status: after.status }),
    ...(blocks.length > 0 && { blocks }),
  }
  return Object.keys(body).length === 0 ? { kind: 'same' } : { kind: 'patch', body }
}

/** A PATCH can't add, remove, move or retype blocks. */
function structureChanges(before: Block[], after: Block[]): string[] {
  const types = new Map(before.map(({ id, type }) => [id, type]))
  const idsAfter = new Set(after.map(({ id }) => id))
  const added = after.filter(({ id }) => !types.has(id)).map(block => `${named(block)} was added.`)
  const removed = before.filter(({ id }) => !idsAfter.has(id)).map(block => `${named(block)} was removed.`)
  const retyped = after.flatMap(({ id, type }) => {
    const old = types.get(id)
    return old && old !== type ? [`Block “${id}” was a ${old} and is a ${type}.`] : []
  })
  const remaining = before.filter(({ id }) => idsAfter.has(id))
  const inOrder = after.filter(({ id }) => types.has(id)).every(({ id }, i) => id === remaining[i]?.id)
  return [...added, ...removed, ...retyped, ...(inOrder ? [] : ['The blocks are in another order.'])]
}

const inSentence = ({ type, id }: Block) => `the ${type} block “${id}”`
const named = (block: Block) => inSentence(block).replace('the', 'The')

/** The patch, or the reason why none is possible. */
type Patch = Record<string, unknown> | string

function questionChanges(before: Block, question: DecisionRequest | undefined): Patch {
  const decision = before.type === 'button' ? before.decision : undefined
  const patch = questionPatch(decision, question?.settings)
  if (patch === null) return {}
  return typeof patch === 'string' ? `The question of ${inSentence(before)} ${patch}` : { decision: patch }
}

/** Both blocks have the same type, and a question is no field here. */
function fieldChanges(before: Block, after: Block): Patch {
  const plain =
    before.type === 'button' ? { type: before.type, id: before.id, buttons: before.buttons } : before
  return equalityDeep(plain, after) ? {} : blockPatch(plain, after)
}

function blockPatch(before: Block, after: Block): Patch {
  if (before.type === 'kv' && after.type === 'kv') return kvPatch(before.rows, after.rows)
  if (before.type === 'button' && after.type === 'button') return buttonsPatch(before, after)
  if (before.type === 'multiselect' && after.type === 'multiselect') {
    if (before.label !== undefined && after.label === undefined)
      return `The label of ${inSentence(after)} can be changed, but not removed.`
  }
  return fieldsPatch(before, after, Object.keys(BLOCK_DEFINITIONS[after.type].patch.shape))
}

function kvPatch(before: KvRow[], after: KvRow[]): Record<string, unknown> {
  const appended = before.length < after.length && equalityDeep(before, after.slice(0, before.length))
  return appended ? { append_rows: after.slice(before.length) } : { rows: after }
}

function buttonsPatch(before: BlockOf<'button'>, after: BlockOf<'button'>): Patch {
  const inPlace = before.buttons.every((button, i) => button.id === after.buttons[i]?.id)
  if (!inPlace)
    return `Buttons of ${inSentence(after)} were removed, moved or added before others. A PATCH only adds them at the end.`
  const buttons = after.buttons.flatMap((button, i): object[] => {
    const old = before.buttons[i]
    if (!old) return [button]
    if (equalityDeep(old, button)) return []
    return [{ id: button.id, patch: fieldsPatch(old, button, Object.keys(buttonPatch.shape)) }]
  })
  return { buttons }
}

/** null clears a field that is gone. */
function fieldsPatch(before: object, after: object, names: string[]): Record<string, unknown> {
  const changed = names.filter(name => !equalityDeep(Reflect.get(before, name), Reflect.get(after, name)))
  return Object.fromEntries(changed.map(name => [name, Reflect.get(after, name) ?? null]))
}
