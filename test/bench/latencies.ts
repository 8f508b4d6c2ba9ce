// Counts latencies in steps of 20 µs up to 4 s, cheap enough for a million a second.

const step = 20
const steps = 200_000

export class Latencies {
  private readonly counts = new Uint32Array(steps)
  private total = 0

  add(microseconds: number): void {
    const at = Math.min(steps - 1, Math.max(0, Math.floor(microseconds / step)))
    this.counts[at] = (this.counts[at] ?? 0) + 1
    this.total += 1
  }

  /** For sending to another process: [step, count] of each step that isn't empty. */
  entries(): [number, number][] {
    return [...this.counts].flatMap((count, at): [number, number][] => (count > 0 ? [[at, count]] : []))
  }

  clear(): void {
    this.counts.fill(0)
    this.total = 0
  }
}

/** The quantile `share` (such as 0.99) in milliseconds. */
export function percentile(entries: [number, number][], share: number): number {
  const sorted = [...entries].sort(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  let seen = 0
  for (const [at, count] of sorted) {
    seen += count
    if (seen >= total * share) return ((at + 1) * step) / 1000
  }
  return Number.NaN
}
