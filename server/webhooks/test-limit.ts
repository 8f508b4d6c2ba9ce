// Limits webhook tests: each test makes a stranger's server work and takes a slot from deliveries.
import { createTokenBuckets } from '../auth/token-buckets.ts'
import { tooManyRequests } from '../errors.ts'

const PER_CHANNEL_AND_MINUTE = 10
const AT_ONCE = 2
const LONGEST_TEST_S = 12

export function createTestLimit() {
  const buckets = createTokenBuckets({ tokens: PER_CHANNEL_AND_MINUTE, per_ms: 60_000 })
  const running = new Map<string, number>()

  return {
    /** Throws 429 beyond the limits, and if `test` returns null because there is no delivery slot. */
    async run<T>(owner_id: string, channel_id: string, test: () => Promise<T | null>): Promise<T> {
      const before = running.get(owner_id) ?? 0
      if (before >= AT_ONCE) throw tooManyTests(LONGEST_TEST_S)
      const wait_ms = buckets.take(channel_id)
      if (wait_ms > 0) throw tooManyTests(wait_ms / 1_000)
      running.set(owner_id, before + 1)
      try {
        const result = await test()
        if (result === null) throw tooManyTests(LONGEST_TEST_S)
        return result
      } finally {
        const left = (running.get(owner_id) ?? 1) - 1
        if (left > 0) running.set(owner_id, left)
        else running.delete(owner_id)
      }
    },
  }
}

const tooManyTests = (wait_s: number) => tooManyRequests('Too many tests', wait_s)
