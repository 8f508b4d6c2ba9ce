// The geometry of the usage charts.
import { describe, expect, test } from 'vitest'
import type { UsageDay } from '../../shared/usage.ts'
import { columnsOf, highest, totalOf } from '../../web/dashboard/usage-columns.ts'

const day = (counts: Partial<UsageDay>): UsageDay => ({
  day: '2026-01-31',
  cards: 0,
  channels: 0,
  interactions: 0,
  delivered: 0,
  failed: 0,
  ...counts,
})

test('a total is the sum over the days', () => {
  expect(totalOf([day({ cards: 3 }), day({}), day({ cards: 4, failed: 9 })], 'cards')).toBe(7)
  expect(totalOf([], 'cards')).toBe(0)
})

describe('the top of the scale', () => {
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
  ])('of at most %d is %d', (most, top) => {
    expect(highest([day({}), day({ cards: most })], ['cards'])).toBe(top)
  })

  test('is that of what stands on each other', () => {
    expect(highest([day({ delivered: 9, failed: 3 })], ['delivered', 'failed'])).toBe(20)
  })
})

describe('the columns', () => {
  test('stand on the ground, the first part below the second', () => {
    const [parts] = columnsOf([day({ delivered: 50, failed: 25 })], ['delivered', 'failed'], 100)
    expect(parts).toEqual([
      { y: 50, height: 50 },
      { y: 25, height: 25 },
    ])
  })

  test('have nothing where nothing was', () => {
    expect(columnsOf([day({})], ['cards'], 100)).toEqual([[{ y: 100, height: 0 }]])
  })

  test('show one of ten thousand, and stay in the plot', () => {
    const [[little] = [], [full, one] = []] = columnsOf(
      [day({ failed: 1 }), day({ delivered: 10_000, failed: 1 })],
      ['failed'],
      10_000,
    )
    expect(little?.height).toBe(2)
    expect(full?.height).toBe(2)
    expect(one).toBeUndefined()
    const [stacked = []] = columnsOf([day({ delivered: 9_999, failed: 1 })], ['delivered', 'failed'], 10_000)
    expect(stacked.at(-1)?.y).toBeCloseTo(0)
    expect(stacked.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(100)
    expect(stacked.at(-1)?.height).toBeGreaterThan(1.9)
  })
})
