// Slows down guessing: after ten failures in a minute for an address, a user or a workspace, all attempts are refused,
// even correct ones. A success doesn't reset the count. Counted in the database, for all instances together.
import type { Sql } from '../database/connect.ts'
import { ApiError, tooMany } from '../errors.ts'
import { verifyPassword } from './passwords.ts'
import { sha256 } from './tokens.ts'

const FAILURES_MAX = 10
const WINDOW_S = 60

export type Throttle = ReturnType<typeof createThrottle>
/** The two keys that a failed attempt counts against. */
export type AttemptKeys = readonly [address: string, target: string]

export const attemptKeys = (address: string, email: string): AttemptKeys => [
  `address ${address}`,
  `account ${email}`,
]

export function createThrottle(sql: Sql) {
  const digests = (keys: readonly string[]) => keys.map(key => sha256(key).toString('base64url'))

  /** Throws 429 while one of the keys has too many failures. */
  async function throwIfLimited(keys: readonly string[]): Promise<void> {
    const [row] = await sql<{ wait_s: number | null }[]>`
      select extract(epoch from max(until) - now())::float8 as wait_s from failed_attempts
      where key = any(${digests(keys)}::text[]) and failures >= ${FAILURES_MAX} and until > now()`
    if (row?.wait_s) throw tooManyAttempts(row.wait_s)
  }

  /** Throws 429 if concurrent attempts used up the limit. */
  async function countFailure(keys: readonly string[]): Promise<void> {
    // In key order, so that two statements can't deadlock.
    const counts = await sql<{ failures: number; wait_s: number }[]>`
      insert into failed_attempts as known (key, failures, until)
      select key, 1, now() + make_interval(secs => ${WINDOW_S}) from unnest(${digests(keys)}::text[]) as key order by key
      on conflict (key) do update set
        failures = case when known.until <= now() then 1 else known.failures + 1 end,
        -- The block of a minute begins with the tenth failure.
        until = case when known.until <= now() or known.failures + 1 = ${FAILURES_MAX}
          then excluded.until else known.until end
      returning failures, extract(epoch from until - now())::float8 as wait_s`
    const over = counts.find(({ failures }) => failures > FAILURES_MAX)
    if (over) throw tooManyAttempts(over.wait_s)
  }

  return {
    /** Whether a password is correct. The limit also holds for concurrent attempts. */
    async guess(keys: AttemptKeys, password_hash: string | null, password: string): Promise<boolean> {
      await throwIfLimited(keys)
      const matches = await verifyPassword(password_hash, password, keys[0], () => throwIfLimited(keys))
      if (matches) await throwIfLimited(keys)
      else await countFailure(keys)
      return matches
    },

    /** Runs `work`, which throws 404 for a wrong token. Counts that against the network address. */
    async tryToken<T>(address: string, work: () => Promise<T>): Promise<T> {
      const keys = [`token ${address}`]
      await throwIfLimited(keys)
      try {
        return await work()
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) await countFailure(keys)
        throw error
      }
    },

    async sweep(): Promise<void> {
      // Skips locked rows: waiting for them could deadlock.
      await sql`
        delete from failed_attempts where key in (
          select key from failed_attempts where until <= now() for update skip locked)`
    },
  }
}

const tooManyAttempts = (wait_s: number) => tooMany('too_many_attempts', wait_s)
