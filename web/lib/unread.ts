// How many cards of a channel were not seen on this device. Pure.

const MOST = 99

/**
 * Positions rise in the order of creation. `newest`: that of the channel's newest card, null where it has none;
 * `readUpTo`: the highest one seen here, undefined where the channel was never heard of, which counts as read.
 * Positions of deleted cards lie between: it is never more than the channel has cards.
 */
export function countUnread(newest: number | null, cardCount: number, readUpTo: number | undefined): number {
  if (newest === null || readUpTo === undefined) return 0
  return Math.max(0, Math.min(newest - readUpTo, cardCount))
}

export function shortCount(count: number): string {
  return count > MOST ? `${MOST}+` : String(count)
}

export function unreadWords(count: number): string {
  return `${shortCount(count)} unread`
}
