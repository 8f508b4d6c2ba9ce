// Limits how many interactions viewers send, so that clicks can't fill the disk. Counted per instance.
import { createTokenBuckets } from './token-buckets.ts'

/** All anonymous viewers of a channel together may send this many times as much as one viewer. */
const ANONYMOUS_PER_CHANNEL = 5

export type Sender = { channel_id: string; user_id: string | null; address: string }

/**
 * `limit`: interactions per minute and user, or per network address without a session; null lifts both limits.
 * The returned function counts an interaction, or throws 429.
 */
export function createInteractionLimit(limit: number | null, now?: () => number): (sender: Sender) => void {
  if (limit === null) return () => {}
  const bucketsOf = (tokens: number) =>
    createTokenBuckets({ tokens, per_ms: 60_000, message: 'Too many actions', now })
  const senders = bucketsOf(limit)
  const channels = bucketsOf(limit * ANONYMOUS_PER_CHANNEL)

  return ({ channel_id, user_id, address }) => {
    // First the sender's own limit: a sender beyond it must not use up the channel's.
    senders.take(user_id === null ? `address ${address}` : `account ${user_id}`)
    if (user_id === null) channels.take(channel_id)
  }
}
