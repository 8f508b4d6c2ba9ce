// The card in the builder. Its JSON text is the source; everything else is derived from it. Pure.
import { equalityDeep } from 'lib0/function'
import type { Card } from '../../shared/card.ts'
import type { Path } from '../../shared/invalid.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { blocksOf, carryKeys, getIn, setIn } from './card-value.ts'
import { formatJson } from './format-json.ts'
import { parseCard } from './parse-card.ts'
import { defaultAt, stripDefaults } from './strip-defaults.ts'

/** `card` is the stored card that the text changes; null for a new card. */
export type CardText = { text: string; card: Card | null }

/** `value` belongs to the last readable text. `keys` identify the blocks. */
export type Composition = CardText & { value: unknown; keys: readonly number[] }

export const EMPTY: CardText = { text: formatJson({ blocks: [] }), card: null }

export const cardTextOf = (card: Card): CardText => ({ text: formatJson(stripDefaults(card)), card })

let lastKey = 0
export const newKey = () => ++lastKey

export function compositionOf({ text, card }: CardText): Composition {
  const parsed = parseCard(text)
  const value = parsed.state === 'readable' ? parsed.value : { blocks: [] }
  return { text, card, value, keys: blocksOf(value).map(newKey) }
}

export function withText(now: Composition, text: string): Composition {
  const parsed = parseCard(text)
  if (parsed.state === 'malformed') return { ...now, text }
  const blocks = blocksOf(parsed.value)
  const keys = carryKeys({ blocks: blocksOf(now.value), keys: now.keys }, blocks, newKey)
  return { ...now, text, value: parsed.value, keys }
}

/** Leaves out a value that the service would fill in. A question keeps its approving button when that button's id changes. */
export function withField(now: Composition, path: Path, next: unknown): Composition {
  const field = next === defaultAt(path) ? undefined : next
  const value = setIn(now.value, path, field)
  if (path.at(-3) !== 'buttons' || path.at(-1) !== 'id') return withValue(now, value)
  const approves = [...path.slice(0, -3), 'decision', 'approves']
  const approving = getIn(value, approves)
  const isRenamed = approving !== undefined && approving === getIn(now.value, path)
  return withValue(now, isRenamed ? setIn(value, approves, next) : value)
}

/** The questions of the stored card replace those of the same blocks. */
export function withQuestionsOf(now: Composition, stored: Card): Composition {
  const questions = new Map(
    blocksOf(stripDefaults(stored)).map(block => [getIn(block, ['id']), getIn(block, ['decision'])]),
  )
  const before = blocksOf(now.value)
  const blocks = before.map(block => {
    const question = questions.get(getIn(block, ['id']))
    const isOther = question !== undefined && !equalityDeep(question, getIn(block, ['decision']))
    return isOther && isJsonObject(block) ? { ...block, decision: question } : block
  })
  const isSame = blocks.every((block, i) => block === before[i])
  return isSame ? now : withValue(now, setIn(now.value, ['blocks'], blocks))
}

export function withBlockList(now: Composition, blocks: unknown[], keys: readonly number[]): Composition {
  return { ...withValue(now, setIn(now.value, ['blocks'], blocks)), keys }
}

export function withValue(now: Composition, value: unknown): Composition {
  return { ...now, text: formatJson(value), value }
}
