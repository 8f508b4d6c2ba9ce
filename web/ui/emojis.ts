// The emojis of the picker: reads the table, finds emojis by words, and remembers the last ones picked.
import { isSingleEmoji } from '../../shared/text.ts'
import { deviceStorage } from '../lib/text-storage.ts'

export type Emoji = { char: string; name: string; words: string[] }
export type EmojiGroup = { name: string; emojis: Emoji[] }

export function readEmojis(table: [name: string, lines: string][]): EmojiGroup[] {
  return table.map(([name, lines]) => ({ name, emojis: lines.split('\n').map(readLine) }))
}

function readLine(line: string): Emoji {
  const [char = '', name = '', words = ''] = line.split('|')
  return { char, name, words: words.split(' ') }
}

/** The emojis that have a word starting with each word of the query. Matches in the name come first. */
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
  const nameWords = name.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const fits = (words: string[]) => parts.every(part => words.some(word => word.startsWith(part)))
  if (name === query) return 5
  if (fits(nameWords)) return name.startsWith(query) ? 4 : 3
  if (words.includes(query)) return 2
  return fits([...nameWords, ...words]) ? 1 : 0
}

const KEY = 'picked-emojis'
const RECENT_MAX = 16
const SUGGESTED = '📡 🏢 🚀 🚨 🧾 🤖 📈 🌡️ 🛒 🧪 💳 🔔 📦 🛠️ 🔒 ✅'.split(' ')

export function readRecent(): { name: 'Recent' | 'Suggested'; chars: string[] } {
  const chars = (deviceStorage.read(KEY) ?? '').split(' ').filter(isSingleEmoji)
  return chars.length > 0 ? { name: 'Recent', chars } : { name: 'Suggested', chars: SUGGESTED }
}

export function saveRecent(char: string): void {
  const { name, chars } = readRecent()
  const before = name === 'Recent' ? chars : []
  deviceStorage.write(KEY, [char, ...before.filter(other => other !== char)].slice(0, RECENT_MAX).join(' '))
}
