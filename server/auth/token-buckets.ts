// Token buckets limit how often a key (an address, a user, a channel) may do something. In memory, per instance.
import { tooManyRequests } from '../errors.ts'

const KEYS_MAX = 100_000

type Options = { tokens: number; per_ms: number; message: string; now?: (() => number) | undefined }

/**
 * A bucket holds up to `tokens`; an empty one refills evenly within `per_ms`. `message`: of the 429. `now` is monotonic,
 * in milliseconds.
 */
export function createTokenBuckets({ tokens: max, per_ms, message, now = () => performance.now() }: Options) {
  // Least recently used first. Full buckets are dropped.
  const buckets = new Map<string, { tokens: number; at: number }>()

  function fill(key: string) {
    const at = now()
    const known = buckets.get(key) ?? { tokens: max, at }
    return { tokens: Math.min(max, known.tokens + ((at - known.at) * max) / per_ms), at }
  }

  return {
    /** Takes one token, or throws 429. */
    take(key: string): void {
      const { tokens, at } = fill(key)
      if (tokens < 1) throw tooManyRequests(message, ((1 - tokens) * per_ms) / max / 1_000)
      buckets.delete(key)
      buckets.set(key, { tokens: tokens - 1, at })
      for (const oldest of buckets.keys()) {
        if (buckets.size <= KEYS_MAX && fill(oldest).tokens < max) break
        buckets.delete(oldest)
      }
    },
  }
}
