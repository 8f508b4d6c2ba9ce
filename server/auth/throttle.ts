// Slows guessing down: after ten failures in a minute for one key (an address, an account, a workspace), further attempts
// are refused, right ones too. A success takes no failure back. The database counts, so the limit holds for all instances.
import type { Sql } from '../database/connect.ts'
import { tooManyRequests } from '../errors.ts'
import { verifyPassword } from './passwords.ts'
import { sha256 } from './tokens.ts'

const FAILURES_MAX = 10
const WINDOW_S = 60

export type Throttle = ReturnType<typeof createThrottle>
/** What a guess counts against. */
export type GuessKeys = readonly [address: string, target: string]

/** What a guess at an account's password counts against, wherever it is made. */
export const guessKeys = (address: string, email: string): GuessKeys => [
  `address ${address}`,
  `account ${email}`,
]

export function createThrottle(sql: Sql) {
  const digests = (keys: readonly string[]) => keys.map(key => sha256(key).toString('base64url'))

  /** Throws 429 while one of the keys has failed too often. */
  async function refuse(keys: GuessKeys): Promise<void> {
    const [row] = await sql<{ wait_s: number | null }[]>`
      select extract(epoch from max(until) - now())::float8 as wait_s from failed_attempts
      where key = any(${digests(keys)}::text[]) and failures >= ${FAILURES_MAX} and until > now()`
    if (row && row.wait_s !== null) throw tooManyAttempts(row.wait_s)
  }

  /** Throws 429 if others used up the failures in the meantime. */
  async function countFailure(keys: GuessKeys): Promise<void> {
    // In order, so that two that count the same keys never wait for each other.
    const counts = await sql<{ failures: number; wait_s: number }[]>`
      insert into failed_attempts as known (key, failures, until)
      select key, 1, now() + make_interval(secs => ${WINDOW_S}) from unnest(${digests(keys)}::text[]) as key order by key
      on conflict (key) do update set
        failures = case when known.until <= now() then 1 else known.failures + 1 end,
        -- The minute's refusal begins with the tenth failure, however long ago the first one was.
        until = case when known.until <= now() or known.failures + 1 = ${FAILURES_MAX}
          then excluded.until else known.until end
      returning failures, extract(epoch from until - now())::float8 as wait_s`
    const over = counts.find(({ failures }) => failures > FAILURES_MAX)
    if (over) throw tooManyAttempts(over.wait_s)
  }

  return {
    /**
     * Whether a password is right. Guesses that run at the same time get at most ten answers too. Each address has its
     * own line, and costs at most a few hashes after its tenth failure.
     */
    async guess(keys: GuessKeys, password_hash: string | null, password: string): Promise<boolean> {
      await refuse(keys)
      const matches = await verifyPassword(password_hash, password, keys[0], () => refuse(keys))
      if (matches) await refuse(keys)
      else await countFailure(keys)
      return matches
    },

    /** Removes counts that are over. */
    async sweep(): Promise<void> {
      // A row that is being counted stays: waiting for it could end in a deadlock.
      await sql`
        delete from failed_attempts where key in (
          select key from failed_attempts where until <= now() for update skip locked)`
    },
  }
}

function tooManyAttempts(wait_s: number) {
  return tooManyRequests('Too many failed attempts', wait_s)
}
