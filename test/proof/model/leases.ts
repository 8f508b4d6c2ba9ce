// The rule of questions that end because nobody waits for them any more. Times are microseconds of the run's clock.

/**
 * How long things last in a run, in ms: short, so that a quick run meets them. A client that comes back within `kept` finds its question.
 * The bounds keep the proportions of the service's own.
 */
export const LEASES = {
  lease: 12_000,
  short: 8_000,
  every: 1_500,
  look: 9_000,
  first: 9_000,
  grace: 9_000,
  unreachable: 3_000,
}

const MS = 1_000
/** Between two renewals, and for the statement. */
const RENEWED_MS = LEASES.every + 1_000
/** A lease that runs short is renewed at the next tick, and the machine may be busy. */
const KEPT_MS = LEASES.short - RENEWED_MS - 1_500
/** The log is read every 200 ms. */
const SEEN_MS = 1_000

export type Waiting = { begin: number; end: number }
/** When nobody could renew leases. */
export type Trouble = { at: number; ended: number }

/**
 * The last moment up to `at` at which the waiter certainly had a lease: it had waited for a while, and its instance had been
 * undisturbed. Null if there is none.
 */
export function lastSupport({ begin, end }: Waiting, troubles: Trouble[], at: number): number | null {
  const renewed = RENEWED_MS * MS
  let support = Math.min(end, at)
  for (;;) {
    const trouble = troubles.find(one => one.at < support && one.ended > support - renewed)
    if (!trouble) return support - renewed >= begin ? support : null
    support = trouble.at
  }
}

/** Before that, the question may not end as abandoned. `supports`: moments at which a waiter had a lease. */
export const mayEndFrom = (asked_at: number, supports: number[]): number =>
  Math.max(asked_at + (LEASES.first - SEEN_MS) * MS, ...supports.map(at => at + KEPT_MS * MS))

/** So long after its last waiter, a question has ended: in calm, and after the end of a fault. In seconds. */
export const END_S = {
  calm: LEASES.lease / 1_000 + 3,
  after_fault: (LEASES.grace + LEASES.lease) / 1_000 + 3,
}
