// Limits how many interactions viewers send, so that clicks can't fill the disk. Counted per instance.
import { createTokenBuckets } from './token-buckets.ts'

/** All anonymous viewers of a channel together may send this many times as much as one viewer. */
const ANONYMOUS_PER_CHANNEL = 5
/** Each started piece of what a viewer sends counts as one interaction. */
const PIECE_BYTES = 4_096

export type Sender = { channel_id: string; user_id: string | null; address: string }
export type SentInteraction = { trigger: object; values?: object | undefined }
export type InteractionLimit = {
  begin(sender: Sender): void
  count(sender: Sender, sent: SentInteraction): void
}

/**
 * `limit`: interactions per minute and user, or per network address without a session; null lifts both limits. `begin`
 * counts one interaction before its body is read, `count` the rest of a large one. Both throw 429.
 */
export function createInteractionLimit(limit: number | null, now?: () => number): InteractionLimit {
  if (limit === null) return { begin: () => {}, count: () => {} }
  const bucketsOf = (tokens: number) =>
    createTokenBuckets({ tokens, per_ms: 60_000, code: 'too_many_actions', now })
  const senders = bucketsOf(limit)
  const channels = bucketsOf(limit * ANONYMOUS_PER_CHANNEL)

  const senderOf = ({ user_id, address }: Sender) =>
    user_id === null ? `address ${address}` : `account ${user_id}`

  function take(sender: Sender, count: number): void {
    // First the sender's own limit: a sender beyond it must not use up the channel's.
    senders.take(senderOf(sender), count)
    if (sender.user_id !== null) return
    try {
      channels.take(sender.channel_id, count)
    } catch (error) {
      senders.putBack(senderOf(sender), count)
      throw error
    }
  }

  return {
    begin: sender => take(sender, 1),
    count(sender, { trigger, values }) {
      const pieces = Math.ceil((jsonBytes(trigger) + jsonBytes(values)) / PIECE_BYTES)
      if (pieces <= 1) return
      // If it is refused, it has taken nothing, so that it is accepted after `Retry-After`.
      senders.putBack(senderOf(sender), 1)
      if (sender.user_id === null) channels.putBack(sender.channel_id, 1)
      take(sender, pieces)
    },
  }
}

const jsonBytes = (value: object | undefined) => (value ? Buffer.byteLength(JSON.stringify(value)) : 0)
