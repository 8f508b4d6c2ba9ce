// A random generator that a seed determines.
export type Random = ReturnType<typeof seeded>

/** mulberry32 */
export function seeded(seed: number) {
  let state = seed >>> 0
  /** From 0 up to 1. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  /** A whole number from `min` to `max`. */
  const between = (min: number, max: number) => min + Math.floor(fraction() * (max - min + 1))
  function pick<T>(items: readonly T[]): T {
    const item = items[between(0, items.length - 1)]
    if (item === undefined) throw new RangeError('nothing to pick from')
    return item
  }
  function weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let left = fraction() * items.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, item] of items) {
      left -= weight
      if (left < 0) return item
    }
    return pick(items)[1]
  }
  return { fraction, between, pick, weighted, chance: (of: number) => fraction() < of }
}
