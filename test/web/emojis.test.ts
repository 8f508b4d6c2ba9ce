// The icon picker: every emoji is a valid icon, names find emojis, and the arrow keys lead through the grid.
import { describe, expect, test } from 'vitest'
import { isSingleEmoji } from '../../shared/text.ts'
import { emojiGroups } from '../../web/build/emoji-plugin.ts'
import { nextCell, toGrid, widthsOf } from '../../web/ui/emoji-grid.ts'
import { findEmojis, readEmojis } from '../../web/ui/emojis.ts'

const groups = readEmojis(emojiGroups())
const all = groups.flatMap(({ emojis }) => emojis)
const found = (query: string) => findEmojis(all, query).map(({ char }) => char)

test('the table has every emoji once, with a name', () => {
  expect(all.length).toBeGreaterThan(1_800)
  expect(all.filter(({ char, name }) => !isSingleEmoji(char) || name === '')).toEqual([])
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
  ['fire', '🔥'],
  ['fire engine', '🚒'],
])('%j finds %s first', (query, char) => {
  expect(found(query)[0]).toBe(char)
})

test.each([
  ['🚀', ['🚀']],
  ['👍🏽', ['👍🏽']],
  ['qqxx', []],
])('%s finds exactly %j', (query, chars) => {
  expect(found(query)).toEqual(chars)
})

test('every word of the query counts', () => {
  expect(found('fire engine')).not.toContain('🔥')
})

describe('keys in a grid of 10 and 3 emojis', () => {
  const grid = toGrid([10, 3].map(length => ({ name: '', emojis: all.slice(0, length) })))
  const widths = widthsOf(grid)

  test('rows are numbered through the groups', () => {
    expect(widths).toEqual([8, 2, 3])
  })

  test.each([
    ['ArrowRight', [0, 0], [0, 1]],
    ['ArrowRight', [0, 7], [1, 0]],
    ['ArrowRight', [2, 2], [2, 0]],
    ['ArrowLeft', [0, 0], [0, 0]],
    ['ArrowLeft', [1, 0], [0, 7]],
    ['ArrowDown', [0, 7], [1, 1]],
    ['ArrowDown', [2, 1], [2, 1]],
    ['ArrowUp', [1, 1], [0, 1]],
    ['Home', [0, 5], [0, 0]],
    ['End', [1, 0], [1, 1]],
    ['PageDown', [0, 7], [2, 2]],
    ['PageUp', [2, 2], [0, 2]],
  ])('%s leads from %j to %j', (key, [row = 0, column = 0], [toRow, toColumn]) => {
    expect(nextCell(key, { row, column }, widths)).toEqual({ row: toRow, column: toColumn })
  })

  test.each(['a', 'Enter', 'constructor'])('%s leads nowhere', key => {
    expect(nextCell(key, { row: 0, column: 0 }, widths)).toBeUndefined()
  })
})
