// Relative times in the viewer's language.
import { expect, test } from 'vitest'
import { makeTimeWords } from '../../web/lib/relative-time.ts'

const now = new Date(2026, 5, 15, 12, 0, 0).getTime()
const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const before = (ago: number) => new Date(now - ago).toISOString()

test.each([
  [0, 'just now', 'jetzt'],
  [59 * SECOND, 'just now', 'jetzt'],
  [-30 * SECOND, 'just now', 'jetzt'],
  [MINUTE, '1 min. ago', 'vor 1 Min.'],
  [59 * MINUTE + 59 * SECOND, '59 min. ago', 'vor 59 Min.'],
  [HOUR, '1 hr. ago', 'vor 1 Std.'],
  [23 * HOUR, '23 hr. ago', 'vor 23 Std.'],
  [DAY, 'yesterday', 'gestern'],
  [6 * DAY, '6 days ago', 'vor 6 Tagen'],
  [7 * DAY, 'Jun 8', '8. Juni'],
  [365 * DAY, 'Jun 15, 2025', '15. Juni 2025'],
])('%d ms ago is %s, and in German %s', (ago, english, german) => {
  expect(makeTimeWords(['en-US']).relativeTime(before(ago), now)).toBe(english)
  expect(makeTimeWords(['de-DE', 'en']).relativeTime(before(ago), now)).toBe(german)
})

test('yesterday is a calendar day, not 24 hours', () => {
  const night = new Date(2026, 5, 15, 0, 20, 0).getTime()
  const { relativeTime } = makeTimeWords(['en-US'])
  const at = (ago: number) => relativeTime(new Date(night - ago).toISOString(), night)
  expect(at(23 * HOUR)).toBe('23 hr. ago')
  expect(at(24 * HOUR)).toBe('yesterday')
  expect(at(26 * HOUR)).toBe('2 days ago')
})

test('the first language that the browser knows is used', () => {
  const { language, relativeTime } = makeTimeWords(['xx-unknown', 'fr-CA', 'en'])
  expect(language).toBe('fr-CA')
  expect(relativeTime(before(DAY), now)).toBe('hier')
})

test('the exact time has the weekday, date and seconds', () => {
  expect(makeTimeWords(['en-GB']).exactTime(before(0))).toMatch(/^Mon,? 15 Jun 2026.* 12:00:00$/)
})

test.each([
  ['en-US', '1:39 AM'],
  ['en-GB', '01:39'],
  ['de', '01:39'],
  ['es', '01:39'],
  ['ja', '01:39'],
])('in %s, 1:39 at night reads %s', (language, words) => {
  const night = new Date(2026, 5, 15, 1, 39).toISOString()
  expect(makeTimeWords([language]).clockTime(night).replace('\u202f', ' ')).toBe(words)
})

test('a day is today, yesterday or a date, with the year if it is another one', () => {
  const { dayWords } = makeTimeWords(['en-GB'])
  expect(dayWords(before(0), now)).toEqual({ name: 'Today', date: 'Mon 15 Jun' })
  expect(dayWords(before(-HOUR), now).name).toBe('Today')
  expect(dayWords(before(DAY), now)).toEqual({ name: 'Yesterday', date: 'Sun 14 Jun' })
  expect(dayWords(before(2 * DAY), now)).toEqual({ name: 'Sat 13 Jun' })
  expect(dayWords(before(365 * DAY), now).name).toContain('2025')
  expect(makeTimeWords(['de-DE']).dayWords(before(DAY), now).name).toBe('Gestern')
})

test('a time on another day has its date', () => {
  const { clockTime } = makeTimeWords(['en-GB'])
  expect(clockTime(before(0))).toBe('12:00')
  expect(clockTime(before(0), before(HOUR))).toBe('12:00')
  expect(clockTime(before(0), before(DAY))).toBe('15 Jun, 12:00')
})
