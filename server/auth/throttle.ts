// Slows guessing down: ten failures in a minute for one key (an address, an account, a workspace), and further
// attempts are refused, right ones too. A success takes no failure back.
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { tooManyRequests } from '../errors.ts'

const FAILURES_MAX = 10
const WINDOW_S = 60

export type Throttle = ReturnType<typeof createThrottle>

/** What a guess at an account's password counts against, wherever it is made. */
export const guessKeys = (address: string, email: string) => [`address ${address}`, `account ${email}`]

/**
 * Ask `refuse` before an attempt is judged and again before a right one is let in, and tell `countFailure` of a
 * wrong one. Attempts that run at the same time then learn no more than ten answers either.
 */
export function createThrottle() {
  const failures = new RateLimiterMemory({ points: FAILURES_MAX, duration: WINDOW_S })

  return {
    /** Throws 429 while one of the keys has failed too often. */
    async refuse(keys: readonly string[]): Promise<void> {
      for (const key of keys) {
        const count = await failures.get(key)
        if (count && count.consumedPoints >= FAILURES_MAX && count.msBeforeNext > 0) {
          throw tooManyAttempts(count.msBeforeNext)
        }
      }
    },

    /** Throws 429 where others used up the failures in the meantime. */
    async countFailure(keys: readonly string[]): Promise<void> {
      const counts = await Promise.all(keys.map(key => failures.penalty(key)))
      for (const [i, count] of counts.entries()) {
        // The minute's refusal begins with the tenth failure, however long the first was ago.
        if (count.consumedPoints === FAILURES_MAX) await failures.block(keys[i] ?? '', WINDOW_S)
      }
      const over = counts.find(count => count.consumedPoints > FAILURES_MAX)
      if (over) throw tooManyAttempts(over.msBeforeNext)
    },
  }
}

function tooManyAttempts(wait_ms: number) {
  return tooManyRequests('Too many failed attempts', wait_ms / 1_000)
}
