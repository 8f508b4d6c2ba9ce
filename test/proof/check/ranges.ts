// Ranges of positions in a channel's log.

/** From `lo` to `hi`, both included. */
export type Range = { lo: number; hi: number }

export const EVERYWHERE: Range[] = [{ lo: 0, hi: Infinity }]

/** Both lists are in order, and so is the result. */
export function intersect(a: Range[], b: Range[]): Range[] {
  const both: Range[] = []
  let [i, j] = [0, 0]
  for (;;) {
    const [one, other] = [a[i], b[j]]
    if (!one || !other) return both
    const lo = Math.max(one.lo, other.lo)
    const hi = Math.min(one.hi, other.hi)
    if (lo <= hi) both.push({ lo, hi })
    if (one.hi < other.hi) i++
    else j++
  }
}

export function without(ranges: Range[], { lo, hi }: Range): Range[] {
  return ranges.flatMap(range => {
    if (range.hi < lo || range.lo > hi) return [range]
    return [
      ...(range.lo < lo ? [{ lo: range.lo, hi: lo - 1 }] : []),
      ...(range.hi > hi ? [{ lo: hi + 1, hi: range.hi }] : []),
    ]
  })
}
