// Ranges of clocks. update-writer.ts explains clocks.

export type ClockRange = { clock: number; length: number }

/** In order, without overlaps. */
export function mergeRanges(ranges: ClockRange[]): ClockRange[] {
  const merged: ClockRange[] = []
  for (const { clock, length } of ranges.toSorted((a, b) => a.clock - b.clock)) {
    const last = merged.at(-1)
    if (last && clock <= last.clock + last.length)
      last.length = Math.max(last.length, clock + length - last.clock)
    else merged.push({ clock, length })
  }
  return merged
}

/** The last range that begins at `clock` or before, found by bisection. `ranges`: in order. */
export function lastBeginning<R extends ClockRange>(ranges: R[], clock: number): R | undefined {
  let low = 0
  let high = ranges.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ranges[middle]?.clock ?? 0) <= clock) low = middle + 1
    else high = middle
  }
  return ranges[low - 1]
}

/** The function that tells whether one of the ranges contains a clock. */
export function rangesFinder(ranges: ClockRange[]): (clock: number) => boolean {
  const merged = mergeRanges(ranges)
  return clock => {
    const range = lastBeginning(merged, clock)
    return range !== undefined && clock < range.clock + range.length
  }
}
