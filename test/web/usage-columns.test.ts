// The geometry of the usage charts.
import { describe, expect, test } from 'vitest'
import type { UsageDay } from '../../shared/usage.ts'
import { columnsOf, scaleTop, totalOf } from '../../web/dashboard/usage-columns.ts'

const none = { cards: 0, channels: 0, interactions: 0, delivered: 0, failed: 0 }
const day = (counts: Partial<UsageDay>): UsageDay => ({ day: '2026-01-31', ...none, ...counts })

test('totalOf sums a counter over the days', () => {
  expect(totalOf([day({ cards: 3 }), day({}), day({ cards: 4, failed: 9 })], 'cards')).toBe(7)
  expect(totalOf([], 'cards')).toBe(0)
})

describe('scaleTop', () => {
  test.each([
    [0, 1],
    [1, 1],
    [7, 8],
    [8, 8],
    [9, 10],
    [10, 10],
    [11, 20],
    [41, 50],
    [99, 100],
    [101, 200],
    [612, 800],
    [1_234_567, 2_000_000],
  ])('a maximum of %d has the scale top %d', (most, top) => {
    expect(scaleTop([day({}), day({ cards: most })], ['cards'])).toBe(top)
  })

  test('scaleTop covers the sum of stacked counters', () => {
    expect(scaleTop([day({ delivered: 9, failed: 3 })], ['delivered', 'failed'])).toBe(20)
  })
})

describe('columnsOf', () => {
  test('columnsOf stacks the parts from the bottom up', () => {
    const [parts] = columnsOf([day({ delivered: 50, failed: 25 })], ['delivered', 'failed'], 100)
    expect(parts).toEqual([
      { y: 50, height: 50 },
      { y: 25, height: 25 },
    ])
  })

  test('columnsOf gives a day without events no height', () => {
    expect(columnsOf([day({})], ['cards'], 100)).toEqual([[{ y: 100, height: 0 }]])
  })

  test('columnsOf keeps one of ten thousand visible, inside the plot', () => {
    const [[single] = [], [stackedSingle, second] = []] = columnsOf(
      [day({ failed: 1 }), day({ delivered: 10_000, failed: 1 })],
      ['failed'],
      10_000,
    )
    expect(single?.height).toBe(2)
    expect(stackedSingle?.height).toBe(2)
    expect(second).toBeUndefined()
    const [stacked = []] = columnsOf([day({ delivered: 9_999, failed: 1 })], ['delivered', 'failed'], 10_000)
    expect(stacked.at(-1)?.y).toBeCloseTo(0)
    expect(stacked.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(100)
    expect(stacked.at(-1)?.height).toBeGreaterThan(1.9)
  })
})
