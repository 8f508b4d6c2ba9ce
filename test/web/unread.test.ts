// The number of unread cards of a channel.
import { expect, test } from 'vitest'
import { countUnread, shortCount } from '../../web/lib/unread.ts'

test.each([
  ['a channel without cards has none', null, 0, 3, 0],
  ['a channel that is new on this device counts as read', 7, 8, undefined, 0],
  ['a channel seen to its end has none', 7, 8, 7, 0],
  ['cards since the last visit count', 10, 11, 7, 3],
  ['the first card of a channel that was empty counts', 0, 1, -1, 1],
  ['the number is at most that of the cards', 10, 2, 3, 2],
  ['a deleted newest card does not count', 5, 4, 7, 0],
])('%s', (_, newest, cards, readUpTo, expected) => {
  expect(countUnread(newest, cards, readUpTo)).toBe(expected)
})

test('more than 99 reads as 99+', () => {
  expect([1, 99, 100, 5_000].map(shortCount)).toEqual(['1', '99', '99+', '99+'])
})
