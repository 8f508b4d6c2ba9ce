import { expect, test } from 'vitest'
import { createTokenBuckets } from '../../server/auth/token-buckets.ts'
import { ApiError } from '../../server/errors.ts'

/** Returns 0, or the `Retry-After` of the error. */
function take(buckets: ReturnType<typeof createTokenBuckets>, key: string): number {
  try {
    buckets.take(key)
    return 0
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error).toMatchObject({ status: 429, code: 'too_many_tests' })
    return Number(error.headers['Retry-After'])
  }
}

test('a bucket gives all tokens at once, then refills evenly', () => {
  let now = 0
  const buckets = createTokenBuckets({ tokens: 3, per_ms: 60_000, code: 'too_many_tests', now: () => now })
  expect([take(buckets, 'a'), take(buckets, 'a'), take(buckets, 'a')]).toEqual([0, 0, 0])
  for (const [at, wait_s] of [
    [0, 20],
    [15_000, 5],
    [20_000, 0],
    [20_000, 20],
  ] as const) {
    now = at
    expect(take(buckets, 'a')).toBe(wait_s)
  }
})

test('keys do not share tokens', () => {
  const buckets = createTokenBuckets({ tokens: 1, per_ms: 1_000, code: 'too_many_tests', now: () => 0 })
  expect([take(buckets, 'a'), take(buckets, 'a'), take(buckets, 'b')]).toEqual([0, 1, 0])
})
