// Reads and changes the JSON value of a card, which may be invalid. Pure: every change returns a new value.
import type { Path } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { BLOCK_ID_MAX } from '../../shared/limits.ts'

export type Fields = Record<string, unknown>

/** Room for the suffixes `-2` to `-9999`. */
const SUFFIX_MAX = 5

export function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export const blocksOf = (value: unknown): unknown[] => asList(getIn(value, ['blocks']))

export function getIn(value: unknown, path: Path): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null) return undefined
    current = Reflect.get(current, part)
  }
  return current
}

/** undefined removes the field. Missing objects and lists on the path are created. */
export function setIn(value: unknown, path: Path, next: unknown): unknown {
  const [part, ...rest] = path
  if (part === undefined) return next
  if (typeof part === 'number') {
    const list = [...asList(value)]
    list[part] = setIn(list[part], rest, next)
    return list
  }
  const fields: Fields = isJsonObject(value) ? { ...value } : {}
  const field = setIn(fields[String(part)], rest, next)
  if (field === undefined) delete fields[String(part)]
  else fields[String(part)] = field
  return fields
}

/** The first of `text`, `text-2` … that isn't taken. */
export function freeId(wish: string, taken: Iterable<unknown>): string {
  const all = new Set(taken)
  const base = [...wish.replace(/-\d+$/, '')].slice(0, BLOCK_ID_MAX - SUFFIX_MAX).join('')
  if (!all.has(base)) return base
  for (let n = 2; ; n++) if (!all.has(`${base}-${n}`)) return `${base}-${n}`
}

const idsOf = (items: unknown[]) => items.map(item => getIn(item, ['id']))

export const buttonIdsOf = (blocks: unknown[]) =>
  blocks.flatMap(block => idsOf(asList(getIn(block, ['buttons']))))

/** A copy of a block for the same card, with new ids. */
export function duplicateOf(block: unknown, blocks: unknown[]): unknown {
  if (!isJsonObject(block)) return block
  const copy: Fields = structuredClone(block)
  if (typeof copy.id === 'string') copy.id = freeId(copy.id, idsOf(blocks))
  const taken = buttonIdsOf(blocks)
  const newIds = new Map<unknown, string>()
  for (const button of asList(copy.buttons)) {
    if (!isJsonObject(button) || typeof button.id !== 'string') continue
    const id = freeId(button.id, taken)
    newIds.set(button.id, id)
    button.id = id
    taken.push(id)
  }
  if (isJsonObject(copy.decision)) copy.decision = newQuestion(copy.decision, newIds)
  return copy
}

/** The same question, asked again: only one block of a card has a key. */
function newQuestion(
  { id: _, key: __, reopen: ___, ...question }: Fields,
  newIds: Map<unknown, string>,
): Fields {
  const approves = newIds.get(question.approves)
  return approves === undefined ? question : { ...question, approves }
}

/** After an edit of the JSON, a block keeps its key if it has the same id, or else the same index and type. */
export function carryKeys(
  before: { blocks: unknown[]; keys: readonly number[] },
  after: unknown[],
  newKey: () => number,
): number[] {
  const idsBefore = idsOf(before.blocks)
  const taken = new Set<number>()
  const take = (at: number) => {
    const key = before.keys[at]
    if (key === undefined || taken.has(key)) return undefined
    taken.add(key)
    return key
  }
  const sameType = (at: number) => {
    const [old, block] = [before.blocks[at], after[at]]
    return isJsonObject(old) && isJsonObject(block) && old.type === block.type
  }
  const byId = idsOf(after).map(id => (typeof id === 'string' ? take(idsBefore.indexOf(id)) : undefined))
  return byId.map((key, at) => key ?? (sameType(at) ? take(at) : undefined) ?? newKey())
}
