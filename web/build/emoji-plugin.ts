// Makes the emoji table of the icon picker while building: what Unicode names, with words to find it by, and no more.
import { createRequire } from 'node:module'
import type { Plugin } from 'vite'

type NamedEmoji = { emoji: string; name: string; emoji_version: string }
type Group = { name: string; emojis: NamedEmoji[] }

/** Newer ones are empty boxes on many devices that are in use. */
const NEWEST = 15.1
const MODULE = 'virtual:emojis'

export function emojiPlugin(): Plugin {
  return {
    name: 'emojis',
    resolveId: id => (id === MODULE ? `\0${MODULE}` : undefined),
    load: id => (id === `\0${MODULE}` ? `export default ${JSON.stringify(emojiGroups())}` : undefined),
  }
}

/** Of each group its name, and its emojis: a line each of the emoji, its name and further words, between bars. */
export function emojiGroups(): [name: string, lines: string][] {
  const require = createRequire(import.meta.url)
  const groups: Group[] = require('unicode-emoji-json/data-by-group.json')
  const keywords: Record<string, string[]> = require('emojilib')
  return groups.map(group => [
    group.name,
    group.emojis
      .filter(({ emoji_version }) => Number(emoji_version) <= NEWEST)
      .map(({ emoji, name }) => [emoji, name, wordsOf(name, keywords[emoji] ?? []).join(' ')].join('|'))
      .join('\n'),
  ])
}

/** The words that the name does not have. */
function wordsOf(name: string, keywords: string[]): string[] {
  const named = new Set(split(name))
  const words = new Set(keywords.flatMap(split))
  return [...words].filter(word => word.length > 1 && !named.has(word))
}

const split = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word !== '')
