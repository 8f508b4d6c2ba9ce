// Limits how many interactions people send, so that clicks can't fill the disk. Counted per instance.
import { tooManyRequests } from '../errors.ts'
import { createTokenBuckets } from './token-buckets.ts'

const MINUTE_MS = 60_000
/** All anonymous viewers of a channel together may send this many times the limit of one. */
const ANONYMOUS_PER_CHANNEL = 5

export type Actor = { channel_id: string; user_id: string | null; address: string }
export type ActLimit = { take(actor: Actor): void }

/** `limit`: interactions per minute and user, or per network address without a session; null lifts both limits. */
export function createActLimit(limit: number | null, now?: () => number): ActLimit {
  if (limit === null) return { take: () => {} }
  const people = createTokenBuckets({ tokens: limit, per_ms: MINUTE_MS, now })
  const channels = createTokenBuckets({ tokens: limit * ANONYMOUS_PER_CHANNEL, per_ms: MINUTE_MS, now })

  return {
    /** Counts an interaction, or throws 429. */
    take({ channel_id, user_id, address }) {
      // First the sender's own limit: a sender beyond it must not use up the channel's.
      throwIfLimited(people.take(user_id === null ? `address ${address}` : `account ${user_id}`))
      if (user_id === null) throwIfLimited(channels.take(channel_id))
    },
  }
}

function throwIfLimited(wait_ms: number): void {
  if (wait_ms > 0) throw tooManyRequests('Too many actions', wait_ms / 1_000)
}
