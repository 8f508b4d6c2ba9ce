// Limits webhook tests: each test makes a stranger's server work and takes a slot from deliveries.
import { createCap } from '../auth/caps.ts'
import { createTokenBuckets } from '../auth/token-buckets.ts'
import { tooMany } from '../errors.ts'

const PER_CHANNEL_AND_MINUTE = 10
const AT_ONCE = 2
const LONGEST_TEST_S = 12

export function createTestLimit() {
  const busy = () => tooMany('too_many_tests', LONGEST_TEST_S)
  const buckets = createTokenBuckets({
    tokens: PER_CHANNEL_AND_MINUTE,
    per_ms: 60_000,
    code: 'too_many_tests',
  })
  const running = createCap(AT_ONCE, busy)

  /** Throws 429 beyond the limits, and if `test` returns null because there is no delivery slot. */
  return async <T>(owner_id: string, channel_id: string, test: () => Promise<T | null>): Promise<T> => {
    const release = running.take(owner_id)
    try {
      buckets.take(channel_id)
      const result = await test()
      if (result === null) throw busy()
      return result
    } finally {
      release()
    }
  }
}
