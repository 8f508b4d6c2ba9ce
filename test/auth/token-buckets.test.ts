import { expect, test } from 'vitest'
import { createTokenBuckets } from '../../server/auth/token-buckets.ts'

test('a bucket gives all tokens at once, then refills evenly', () => {
  let now = 0
  const buckets = createTokenBuckets({ tokens: 3, per_ms: 60_000, now: () => now })
  expect([buckets.take('a'), buckets.take('a'), buckets.take('a')]).toEqual([0, 0, 0])
  for (const [at, wait_ms] of [
    [0, 20_000],
    [15_000, 5_000],
    [20_000, 0],
    [20_000, 20_000],
  ] as const) {
    now = at
    expect(buckets.take('a')).toBe(wait_ms)
  }
})

test('keys do not share tokens', () => {
  const buckets = createTokenBuckets({ tokens: 1, per_ms: 1_000, now: () => 0 })
  expect(buckets.take('a')).toBe(0)
  expect(buckets.take('b')).toBe(0)
})

test('if one key has no token, none of the others loses one', () => {
  const buckets = createTokenBuckets({ tokens: 1, per_ms: 1_000, now: () => 0 })
  expect(buckets.take('a')).toBe(0)
  expect(buckets.take('a', 'b')).toBe(1_000)
  expect(buckets.take('b')).toBe(0)
})
