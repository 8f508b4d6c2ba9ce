// How many cards of a channel weren't seen on this device.

const COUNT_MAX = 99

/** A channel without a read mark counts as read. Deleted cards leave gaps, so `cardCount` limits the result. */
export function countUnread(newest: number | null, cardCount: number, readUpTo: number | undefined): number {
  if (newest === null || readUpTo === undefined) return 0
  return Math.max(0, Math.min(newest - readUpTo, cardCount))
}

export const shortCount = (count: number) => (count > COUNT_MAX ? `${COUNT_MAX}+` : String(count))
