// How often people may act in channels: without a limit, clicks alone could fill the disk. Per instance.
import { tooManyRequests } from '../errors.ts'
import { createTokenBuckets } from './token-buckets.ts'

const MINUTE_MS = 60_000
/** One channel takes this many times the limit of one person from people without a session. */
const PEOPLE_PER_CHANNEL = 5

export type Actor = { channel_id: string; user_id: string | null; address: string }
export type ActLimit = { take(actor: Actor): void }

/** `limit`: interactions a minute per account, or per network address without a session; null lifts both limits. */
export function createActLimit(limit: number | null, now?: () => number): ActLimit {
  if (limit === null) return { take: () => {} }
  const people = createTokenBuckets({ tokens: limit, per_ms: MINUTE_MS, now })
  const channels = createTokenBuckets({ tokens: limit * PEOPLE_PER_CHANNEL, per_ms: MINUTE_MS, now })

  return {
    /** Counts an interaction, or throws 429. */
    take({ channel_id, user_id, address }) {
      // The person comes first, so that somebody over the limit doesn't use up the channel's.
      refuse(people.take(user_id === null ? `address ${address}` : `account ${user_id}`))
      if (user_id === null) refuse(channels.take(channel_id))
    },
  }
}

function refuse(wait_ms: number): void {
  if (wait_ms > 0) throw tooManyRequests('Too many actions', wait_ms / 1_000)
}
