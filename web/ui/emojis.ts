// Emojis by their names: read from the table, found by words, and those that were picked lately.
import { isSingleEmoji } from '../../shared/text.ts'

export type Emoji = { char: string; name: string; words: string[] }
export type EmojiGroup = { name: string; emojis: Emoji[] }

export function readEmojis(table: [name: string, lines: string][]): EmojiGroup[] {
  return table.map(([name, lines]) => ({ name, emojis: lines.split('\n').map(readLine) }))
}

function readLine(line: string): Emoji {
  const [char = '', name = '', words = ''] = line.split('|')
  return { char, name, words: words.split(' ') }
}

/** Those that have every word of the query, or begin with it; the names before the further words. */
export function findEmojis(all: Emoji[], query: string): Emoji[] {
  const typed = query.trim()
  if (isSingleEmoji(typed))
    return [all.find(({ char }) => char === typed) ?? { char: typed, name: 'as typed', words: [] }]
  const parts = typed.toLowerCase().split(/\s+/)
  return all
    .map(emoji => ({ emoji, rank: rankOf(emoji, parts) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ emoji }) => emoji)
}

function rankOf({ name, words }: Emoji, parts: string[]): number {
  const query = parts.join(' ')
  if (name === query) return 5
  const named = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const inName = parts.every(part => named.some(word => word.startsWith(part)))
  if (inName) return name.startsWith(query) ? 4 : 3
  if (words.includes(query)) return 2
  const known = [...named, ...words]
  return parts.every(part => known.some(word => word.startsWith(part))) ? 1 : 0
}

const KEY = 'picked-emojis'
const RECENT_MAX = 16
/** Until something was picked. */
const SUGGESTED = [
  '📡',
  '🏢',
  '🚀',
  '🚨',
  '🧾',
  '🤖',
  '📈',
  '🌡️',
  '🛒',
  '🧪',
  '💳',
  '🔔',
  '📦',
  '🛠️',
  '🔒',
  '✅',
]

export type Recent = { name: 'Recent' | 'Suggested'; chars: string[] }

export function readRecent(): Recent {
  const chars = (localStorage.getItem(KEY) ?? '').split(' ').filter(isSingleEmoji)
  return chars.length > 0 ? { name: 'Recent', chars } : { name: 'Suggested', chars: SUGGESTED }
}

export function keepRecent(char: string): void {
  const { name, chars } = readRecent()
  const before = name === 'Recent' ? chars : []
  localStorage.setItem(KEY, [char, ...before.filter(other => other !== char)].slice(0, RECENT_MAX).join(' '))
}
