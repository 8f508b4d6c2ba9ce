// Token buckets limit how often a key (an address, a user, a channel) may do something. In memory, per instance.

const KEYS_MAX = 100_000

type Bucket = { tokens: number; at: number }

export type TokenBuckets = ReturnType<typeof createTokenBuckets>

/**
 * A bucket holds up to `tokens`, and a spent one refills evenly within `per_ms` milliseconds.
 * `now` is monotonic, in milliseconds.
 */
export function createTokenBuckets({
  tokens: most,
  per_ms,
  now = () => performance.now(),
}: {
  tokens: number
  per_ms: number
  now?: () => number
}) {
  // Least recently used first. Full buckets are dropped.
  const buckets = new Map<string, Bucket>()

  function fill(key: string): Bucket {
    const at = now()
    const known = buckets.get(key)
    if (!known) return { tokens: most, at }
    return { tokens: Math.min(most, known.tokens + ((at - known.at) * most) / per_ms), at }
  }

  return {
    /** Takes one token from every key, or none. Returns 0, or the milliseconds until it can. */
    take(...keys: string[]): number {
      const filled = keys.map(key => ({ key, bucket: fill(key) }))
      const fewest = Math.min(...filled.map(({ bucket }) => bucket.tokens))
      if (fewest < 1) return Math.ceil(((1 - fewest) * per_ms) / most)
      for (const { key, bucket } of filled) {
        buckets.delete(key)
        buckets.set(key, { ...bucket, tokens: bucket.tokens - 1 })
      }
      for (const oldest of buckets.keys()) {
        if (buckets.size <= KEYS_MAX && fill(oldest).tokens < most) break
        buckets.delete(oldest)
      }
      return 0
    },
  }
}
