// How often an owner may test a webhook: each test makes somebody's server work, and takes a place from deliveries.
import { createTokenBuckets } from '../auth/token-buckets.ts'
import { tooManyRequests } from '../errors.ts'

const A_CHANNEL_AND_MINUTE = 10
const AT_ONCE = 2
/** A test takes about so long at most. */
const TEST_S = 12

export type TestLimit = ReturnType<typeof createTestLimit>

export function createTestLimit() {
  const buckets = createTokenBuckets({ tokens: A_CHANNEL_AND_MINUTE, per_ms: 60_000 })
  const running = new Map<string, number>()

  return {
    /** Runs `test`, or throws 429. So does a `test` that returns null: there was no place for it. */
    async run<T>(owner_id: string, channel_id: string, test: () => Promise<T | null>): Promise<T> {
      const before = running.get(owner_id) ?? 0
      if (before >= AT_ONCE) throw tooManyTests(TEST_S)
      const wait_ms = buckets.take(channel_id)
      if (wait_ms > 0) throw tooManyTests(wait_ms / 1_000)
      running.set(owner_id, before + 1)
      try {
        const result = await test()
        if (result === null) throw tooManyTests(TEST_S)
        return result
      } finally {
        const left = (running.get(owner_id) ?? 1) - 1
        if (left > 0) running.set(owner_id, left)
        else running.delete(owner_id)
      }
    },
  }
}

function tooManyTests(wait_s: number) {
  return tooManyRequests('Too many tests', wait_s)
}
