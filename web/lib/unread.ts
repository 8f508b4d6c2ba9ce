// How many cards of a channel were not seen on this device.

const COUNT_MAX = 99

/**
 * Positions rise in the order of creation. `newest`: the position of the channel's newest card, null without cards.
 * `readUpTo`: the highest position seen here; undefined for a channel that is new on this device, which counts as read.
 * Deleted cards leave gaps between positions, so the result is at most the number of cards.
 */
export function countUnread(newest: number | null, cardCount: number, readUpTo: number | undefined): number {
  if (newest === null || readUpTo === undefined) return 0
  return Math.max(0, Math.min(newest - readUpTo, cardCount))
}

export function shortCount(count: number): string {
  return count > COUNT_MAX ? `${COUNT_MAX}+` : String(count)
}
