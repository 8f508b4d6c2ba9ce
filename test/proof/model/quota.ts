// The daily card limit: a user's creations of a UTC day are counted, and never more than the limit.

/** `2026-01-31` of `2026-01-31T12:00:00.000Z`. */
export const dayOf = (instant: string) => instant.slice(0, 10)

/** How many of these creations count on each day. `before`: what a day had used already. */
export function usedOn(created_at: string[], before: ReadonlyMap<string, number>): Map<string, number> {
  const used = new Map(before)
  for (const instant of created_at) {
    const day = dayOf(instant)
    used.set(day, (used.get(day) ?? 0) + 1)
  }
  return used
}
