// The emojis of the icon picker: all of them icons that the server takes, found by their names.
import { expect, test } from 'vitest'
import { isSingleEmoji } from '../../shared/text.ts'
import { emojiGroups } from '../../web/build/emoji-plugin.ts'
import { findEmojis, readEmojis } from '../../web/ui/emojis.ts'

const groups = readEmojis(emojiGroups())
const all = groups.flatMap(({ emojis }) => emojis)
const found = (query: string) => findEmojis(all, query).map(({ char }) => char)

test('every one is a single emoji, has a name, and stands there once', () => {
  expect(all.length).toBeGreaterThan(1_800)
  expect(all.filter(({ char }) => !isSingleEmoji(char))).toEqual([])
  expect(all.filter(({ name }) => name === '')).toEqual([])
  expect(new Set(all.map(({ char }) => char)).size).toBe(all.length)
  expect(groups.map(({ name }) => name)).toContain('Flags')
})

test.each([
  ['rocket', '🚀'],
  ['ROCKET', '🚀'],
  ['  rocket ', '🚀'],
  ['police car l', '🚨'],
  ['launch', '🚀'],
  ['flag germ', '🇩🇪'],
  ['thermometer', '🌡️'],
])('%j finds %s first', (query, char) => {
  expect(found(query)[0]).toBe(char)
})

test('a name goes before a further word, and every word counts', () => {
  expect(found('fire')[0]).toBe('🔥')
  expect(found('fire engine')[0]).toBe('🚒')
  expect(found('fire engine')).not.toContain('🔥')
})

test('an emoji finds itself, also one that is not in the table', () => {
  expect(found('🚀')).toEqual(['🚀'])
  expect(found('👍🏽')).toEqual(['👍🏽'])
})

test('what is nothing’s name finds nothing', () => {
  expect(found('qqxx')).toEqual([])
})
