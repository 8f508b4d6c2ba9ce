// Builds the table of the emoji picker: the emojis, their Unicode names, and more words to find them by.
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

type NamedEmoji = { emoji: string; name: string; emoji_version: string }
type Group = { name: string; emojis: NamedEmoji[] }

/** Newer emojis are empty boxes on many devices. */
const NEWEST = 15.1
const MODULE = 'virtual:emojis'

export function emojiPlugin(): Plugin {
  return {
    name: 'emojis',
    resolveId: id => (id === MODULE ? `\0${MODULE}` : undefined),
    load: id => (id === `\0${MODULE}` ? `export default ${JSON.stringify(emojiGroups())}` : undefined),
  }
}

/** Each line of a group is `emoji|name|more words`. */
export function emojiGroups(): [name: string, lines: string][] {
  const require = createRequire(import.meta.url)
  const groups: Group[] = require('unicode-emoji-json/data-by-group.json')
  const keywords: Record<string, string[]> = require('emojilib')
  return groups.map(group => [
    group.name,
    group.emojis
      .filter(({ emoji_version }) => Number(emoji_version) <= NEWEST)
      .map(({ emoji, name }) => [emoji, name, otherWords(name, keywords[emoji] ?? []).join(' ')].join('|'))
      .join('\n'),
  ])
}

function otherWords(name: string, keywords: string[]): string[] {
  const nameWords = new Set(split(name))
  const words = new Set(keywords.flatMap(split))
  return [...words].filter(word => word.length > 1 && !nameWords.has(word))
}

const split = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
