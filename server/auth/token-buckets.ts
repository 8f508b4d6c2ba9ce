// Token buckets limit how often a key (an address, a user, a channel) may do something. In memory, per instance.
const KEYS_MAX = 100_000

type Options = { tokens: number; per_ms: number; now?: (() => number) | undefined }

/** A bucket holds up to `tokens`; an empty one refills evenly within `per_ms`. `now` is monotonic, in milliseconds. */
export function createTokenBuckets({ tokens: max, per_ms, now = () => performance.now() }: Options) {
  // Least recently used first. Full buckets are dropped.
  const buckets = new Map<string, { tokens: number; at: number }>()

  function fill(key: string) {
    const at = now()
    const known = buckets.get(key) ?? { tokens: max, at }
    return { tokens: Math.min(max, known.tokens + ((at - known.at) * max) / per_ms), at }
  }

  return {
    /** Takes one token from every key, or none. Returns 0, or the milliseconds until it can. */
    take(...keys: string[]): number {
      const filled = keys.map(key => ({ key, bucket: fill(key) }))
      const fewest = Math.min(...filled.map(({ bucket }) => bucket.tokens))
      if (fewest < 1) return Math.ceil(((1 - fewest) * per_ms) / max)
      for (const { key, bucket } of filled) {
        buckets.delete(key)
        buckets.set(key, { ...bucket, tokens: bucket.tokens - 1 })
      }
      for (const oldest of buckets.keys()) {
        if (buckets.size <= KEYS_MAX && fill(oldest).tokens < max) break
        buckets.delete(oldest)
      }
      return 0
    },
  }
}
