// How a card is laid out: on one line, or with a title and more space. Pure.
import type { Block } from '../../shared/block.ts'
import type { KvRow } from '../../shared/blocks/rows.ts'
import { charCount } from '../../shared/characters.ts'

/** In characters. Longer text is a paragraph. */
const LINE_MAX = 120

/** `line`: one line of text and badges. `title`: a title above the other blocks. `text`: a paragraph, or something else. */
export type CardShape = 'line' | 'title' | 'text'
export type CardLayout = {
  shape: CardShape
  /** Beside the card's status and time. */
  lead: Block[]
  rest: Block[]
}

export function layoutOf(blocks: Block[]): CardLayout {
  if (isLine(blocks)) return { shape: 'line', lead: blocks, rest: [] }
  const [first] = blocks
  if (first?.type === 'text') {
    const shape = first.size !== 'sm' && isShort(first.content, LINE_MAX) ? 'title' : 'text'
    return { shape, lead: [first], rest: blocks.slice(1) }
  }
  const other = blocks.findIndex(({ type }) => type !== 'badge')
  const badges = other < 0 ? blocks.length : other
  return { shape: 'text', lead: blocks.slice(0, badges), rest: blocks.slice(badges) }
}

/** A short text and otherwise only badges. */
export function isLine(blocks: Block[]): boolean {
  const texts = blocks.filter(block => block.type === 'text')
  const [text] = texts
  if (!text || texts.length > 1 || (text.size !== 'md' && text.size !== 'sm')) return false
  return isShort(text.content, LINE_MAX) && blocks.every(({ type }) => type === 'text' || type === 'badge')
}

/** How many rows may stand on the grid of facts, and the longest key and value there, in characters. */
const FACTS = { max: 8, key: 16, value: 20 }

/** `facts`: short ones stand side by side on a fixed grid. `rows`: each has a line. */
export type KvShape = 'facts' | 'rows'

/**
 * How the rows of a kv block are drawn. `before`: as they were drawn last. What was drawn as rows stays so, and a list that
 * grows is a log, so that no new row moves the others.
 */
export function kvShapeOf(rows: KvRow[], before?: { rows: KvRow[]; shape: KvShape }): KvShape {
  if (before && (before.shape === 'rows' || hasGrown(before.rows, rows))) return 'rows'
  if (rows.length > FACTS.max || rows.some(({ key }) => isTime(key))) return 'rows'
  return rows.every(({ key, value }) => isShort(key, FACTS.key) && isShort(value, FACTS.value))
    ? 'facts'
    : 'rows'
}

function hasGrown(before: KvRow[], now: KvRow[]): boolean {
  if (before.length === 0 || now.length <= before.length) return false
  return before.every(({ key, value }, i) => now[i]?.key === key && now[i]?.value === value)
}

/** Whether the rows were seen growing, or say when something was. */
export const isLog = (rows: KvRow[], before?: KvRow[]) =>
  rows.some(({ key }) => isTime(key)) || (before !== undefined && hasGrown(before, rows))

/** A time of day or a date, as the keys of a log have it. */
const isTime = (key: string) => /^\W?(\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2})/.test(key)

/** The first line of the card's first text; undefined without one. */
export function titleOf(blocks: Block[]): string | undefined {
  const [title = ''] =
    blocks
      .find(block => block.type === 'text')
      ?.content.trim()
      .split('\n') ?? []
  return title === '' ? undefined : title
}

/**
 * What names a question: the nearest text above its buttons. If the card asks nothing else, a large text counts more, because
 * smaller ones below it are details. Undefined without a text.
 */
export function questionName(blocks: Block[], blockId: string): string | undefined {
  const above = blocks.slice(
    0,
    blocks.findIndex(({ id }) => id === blockId),
  )
  const texts = above.filter(block => block.type === 'text').filter(({ content }) => content.trim() !== '')
  const asksOnce = blocks.filter(block => 'decision' in block && block.decision).length === 1
  const large = asksOnce ? texts.findLast(({ size }) => size === 'lg' || size === 'xl') : undefined
  return (large ?? texts.at(-1))?.content.trim()
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** The direction of a card's content, by the first letter of its first text; undefined if it has none. */
export function directionOf(blocks: Block[]): 'ltr' | 'rtl' | undefined {
  for (const block of blocks) {
    const words =
      block.type === 'text' ? block.content : block.type === 'kv' ? (block.rows[0]?.key ?? '') : ''
    const [letter] = /\p{L}/u.exec(words) ?? []
    if (letter !== undefined) return RIGHT_TO_LEFT.test(letter) ? 'rtl' : 'ltr'
  }
  return undefined
}

/** So many rows, or lines of text, are shown before the viewer asks for all. */
export const FOLDED_ROWS = 12
export const FOLDED_LINES = 14
/** About as many characters as these lines hold. */
const FOLDED_CHARACTERS = 1_400

export const isLongText = (content: string) =>
  content.length > FOLDED_CHARACTERS || content.split('\n', FOLDED_LINES + 1).length > FOLDED_LINES

/** The rows that a folded list shows: of a log the last ones, because it grows at its end. */
export function foldedRows(rows: KvRow[], isLog: boolean): KvRow[] {
  if (rows.length <= FOLDED_ROWS) return rows
  return isLog ? rows.slice(-FOLDED_ROWS) : rows.slice(0, FOLDED_ROWS)
}

const isShort = (text: string, max: number) => !text.includes('\n') && charCount(text) <= max
