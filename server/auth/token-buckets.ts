// Token buckets limit how often a key (an address, a user, a channel) may do something. In memory, per instance.
import { type LimitCode, tooMany } from '../errors.ts'

const KEYS_MAX = 100_000

type Options = { tokens: number; per_ms: number; code: LimitCode; now?: (() => number) | undefined }

/**
 * A bucket holds up to `tokens`; an empty one refills evenly within `per_ms`. `code`: of the 429. `now` is monotonic,
 * in milliseconds.
 */
export function createTokenBuckets({ tokens: max, per_ms, code, now = () => performance.now() }: Options) {
  // Least recently used first. Full buckets are dropped.
  const buckets = new Map<string, { tokens: number; at: number }>()

  function fill(key: string) {
    const at = now()
    const known = buckets.get(key) ?? { tokens: max, at }
    return { tokens: Math.min(max, known.tokens + ((at - known.at) * max) / per_ms), at }
  }

  return {
    /**
     * Takes `count` tokens, or throws 429. If that is more than a bucket holds, a full one gives them, and takes longer to
     * refill.
     */
    take(key: string, count = 1): void {
      const { tokens, at } = fill(key)
      const missing = Math.min(count, max) - tokens
      if (missing > 0) throw tooMany(code, (missing * per_ms) / max / 1_000)
      buckets.delete(key)
      buckets.set(key, { tokens: tokens - count, at })
      for (const oldest of buckets.keys()) {
        if (buckets.size <= KEYS_MAX && fill(oldest).tokens < max) break
        buckets.delete(oldest)
      }
    },

    putBack(key: string, count: number): void {
      const { tokens, at } = fill(key)
      buckets.set(key, { tokens: Math.min(max, tokens + count), at })
    },
  }
}
