// How long ago, in words.
import { expect, test } from 'vitest'
import { relativeTime } from '../../web/card/relative-time.ts'

const now = new Date(2026, 5, 15, 12, 0, 0).getTime()
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

test.each([
  [0, 'just now'],
  [59 * SECOND, 'just now'],
  [-30 * SECOND, 'just now'],
  [MINUTE, '1 min. ago'],
  [59 * MINUTE + 59 * SECOND, '59 min. ago'],
  [HOUR, '1 hr. ago'],
  [23 * HOUR, '23 hr. ago'],
  [DAY, 'yesterday'],
  [6 * DAY, '6 days ago'],
  [7 * DAY, 'Jun 8'],
  [365 * DAY, 'Jun 15, 2025'],
])('%d ms ago is %s', (ago, words) => {
  expect(relativeTime(new Date(now - ago).toISOString(), now)).toBe(words)
})
