// The words of a card, for searching on the device. Pure.
import type { Block } from '../../../shared/block.ts'
import { fold } from '../../lib/folded-text.ts'

const EXCERPT_CHARACTERS = 80

/** The texts that the blocks show, in their order. Values that viewers enter aren't among them. */
export function wordsOf(blocks: Block[]): string[] {
  return blocks
    .flatMap(textsOf)
    .flatMap(words => words?.split('\n') ?? [])
    .map(words => words.trim())
    .filter(words => words !== '')
}

/** By field, whatever the type of the block. */
const textsOf = (block: Block): (string | undefined)[] => [
  'content' in block ? block.content : undefined,
  'label' in block ? block.label : undefined,
  'alt' in block ? block.alt : undefined,
  ...('rows' in block ? block.rows.map(({ key, value }) => `${key}: ${value}`) : []),
  ...('buttons' in block ? block.buttons.map(({ label }) => label) : []),
  ...('options' in block ? block.options.map(({ label }) => label) : []),
]

/** `title`: the card's first words. `excerpt`: the line that has a word of the query, if the title has none. */
export type CardMatch = { title: string; excerpt: string | undefined }

/** Null if the card lacks a word of the query. Case and accents don't matter. */
export function matchCard(blocks: Block[], query: string): CardMatch | null {
  const lines = wordsOf(blocks)
  const wanted = fold(query).match(/\S+/g) ?? []
  const all = fold(lines.join('\n'))
  if (wanted.length === 0 || !wanted.every(word => all.includes(word))) return null
  const has = (line: string) => wanted.some(word => fold(line).includes(word))
  const [title = '', ...others] = lines
  const line = has(title) ? undefined : others.find(has)
  const at = (text: string) => Math.min(...wanted.map(word => fold(text).indexOf(word)).filter(i => i >= 0))
  return { title: cut(title, 0), excerpt: line && cut(line, at(line)) }
}

/** The part of a long line around a place. */
function cut(line: string, at: number): string {
  const characters = [...line]
  if (characters.length <= EXCERPT_CHARACTERS) return line
  const start = Math.max(0, Math.min(at - EXCERPT_CHARACTERS / 4, characters.length - EXCERPT_CHARACTERS))
  const part = characters.slice(start, start + EXCERPT_CHARACTERS).join('')
  return `${start > 0 ? '…' : ''}${part}${start + EXCERPT_CHARACTERS < characters.length ? '…' : ''}`
}
