// How many cards of a channel were not seen on this device.
import { expect, test } from 'vitest'
import { countUnread, shortCount } from '../../web/lib/unread.ts'

test.each([
  ['a channel without cards', null, 0, 3, 0],
  ['a channel that was never heard of counts as read', 7, 8, undefined, 0],
  ['everything was seen', 7, 8, 7, 0],
  ['three came since', 10, 11, 7, 3],
  ['the first card of a channel that was empty', 0, 1, -1, 1],
  ['it is never more than there are cards', 10, 2, 3, 2],
  ['the newest seen one was deleted', 5, 4, 7, 0],
])('%s', (_, newest, cards, readUpTo, expected) => {
  expect(countUnread(newest, cards, readUpTo)).toBe(expected)
})

test('more than 99 is said as 99+', () => {
  expect([1, 99, 100, 5_000].map(shortCount)).toEqual(['1', '99', '99+', '99+'])
})
