// How a card is laid out: on one line, or with a title and more space. Pure.
import type { Block, KvRow } from '../../shared/block.ts'
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

/** How many rows may stand side by side, and the longest key and value there, in characters. */
const FACTS = { min: 2, max: 6, key: 16, value: 20 }

/** Whether the rows of a kv block stand side by side. */
export function areFacts(rows: KvRow[]): boolean {
  if (rows.length < FACTS.min || rows.length > FACTS.max) return false
  return rows.every(({ key, value }) => isShort(key, FACTS.key) && isShort(value, FACTS.value))
}

const isShort = (text: string, max: number) => !text.includes('\n') && charCount(text) <= max
