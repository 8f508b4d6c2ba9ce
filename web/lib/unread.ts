// How many cards of a channel weren't seen on this device.

const COUNT_MAX = 99

/**
 * `newest` and `readUpTo` are positions of cards. A channel that is new on this device (`readUpTo` undefined) counts as
 * read. Deleted cards leave gaps between positions, so the result is limited to `cardCount`.
 */
export function countUnread(newest: number | null, cardCount: number, readUpTo: number | undefined): number {
  if (newest === null || readUpTo === undefined) return 0
  return Math.max(0, Math.min(newest - readUpTo, cardCount))
}

export function shortCount(count: number): string {
  return count > COUNT_MAX ? `${COUNT_MAX}+` : String(count)
}
