// Slopes tell leaks from noise, and short series from long ones, in made-up samples.
import { expect, test } from 'vitest'
import { seeded } from '../../proof/random.ts'
import { judge, type Point, slopeOf, studentsT } from './slopes.ts'

const MINUTE_US = 60e6
const WINDOW_US = 5 * MINUTE_US
/** What a heap may grow per day. */
const LIMIT = 8e6

/** A heap of 60 MB that varies by up to 3 MB, sampled once a minute. */
function heap(hours: number, growth_per_day: number, seed = 1): Point[] {
  const random = seeded(seed)
  return Array.from({ length: hours * 60 }, (_, minute) => ({
    at: minute * MINUTE_US,
    value: 60e6 + (growth_per_day * minute) / (24 * 60) + (random.fraction() - 0.5) * 6e6,
  }))
}

const verdict = (points: Point[]) => judge(slopeOf(points, WINDOW_US), LIMIT)

test.each([1, 2, 3, 4, 5])('a leak of 24 MB a day fails in the noise of a day (seed %i)', seed => {
  expect(verdict(heap(24, 24e6, seed))).toBe('fail')
})

test.each([1, 2, 3, 4, 5])('a day of noise without growth passes (seed %i)', seed => {
  expect(verdict(heap(24, 0, seed))).toBe('pass')
})

test('a series that falls passes', () => expect(verdict(heap(24, -24e6))).toBe('pass'))

test('half an hour of noise is inconclusive, whether there is a leak or not', () => {
  expect(verdict(heap(0.5, 0))).toBe('inconclusive')
  expect(verdict(heap(0.5, 24e6))).toBe('inconclusive')
})

test('no samples, or too few windows, are inconclusive', () => {
  expect(verdict([])).toBe('inconclusive')
  expect(verdict(heap(0.25, 0))).toBe('inconclusive')
})

test('a line without noise has its own slope as interval', () => {
  const points = Array.from({ length: 50 }, (_, i) => ({ at: i * WINDOW_US, value: i }))
  const { per_day, low, high, windows } = slopeOf(points, WINDOW_US) ?? { per_day: 0, low: 0, high: 0 }
  expect(per_day).toBeCloseTo(288, 6)
  expect(high - low).toBeLessThan(1e-6)
  expect(windows).toBe(50)
})

test('the interval holds the true slope in about 95 of 100 series', () => {
  const inside = Array.from({ length: 400 }, (_, seed) => slopeOf(heap(6, 12e6, seed + 1), WINDOW_US)).filter(
    slope => slope && slope.low <= 12e6 && slope.high >= 12e6,
  )
  expect(inside.length).toBeGreaterThan(365)
  expect(inside.length).toBeLessThan(395)
})

test.each([
  [1, 12.706],
  [10, 2.228],
  [11, 2.201],
  [30, 2.042],
  [284, 1.968],
])('Student’s t of %i degrees of freedom is %f', (freedom, t) => {
  expect(studentsT(freedom)).toBeCloseTo(t, 3)
})
