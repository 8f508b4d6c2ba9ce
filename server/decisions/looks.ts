// Who waits for decisions, as leases in the database that all instances see. A waiter is a request of the API key that asked
// which stays open: a read with `wait` (waits.ts), or a hook. Whoever holds such a request calls `enter`, and `leave` when it
// is over. Polling writes nothing by itself: leases that run short are renewed for all decisions in one statement.
// A request that is never repeated, such as a hook, ends its question itself when its client leaves: `leave`, then
// `endQuestion(question, 'abandon')` of end-question.ts.
import type { Logger } from 'pino'
import type { Sql } from '../database/connect.ts'
import { type Looked, type LookWrite, writeLooks } from './look-rows.ts'
import { LOOK_TIMES } from './look-times.ts'
import type { DecisionRecord } from './rows.ts'

/** Times are this instance's, in ms. `until` is never later than in the database; -Infinity if this instance knows no lease. */
type Lease = {
  readonly channel_id: string
  waiters: number
  left_at: number
  until: number
  /** Whether a look without a wait has to be written, and when the last one was. */
  look: boolean
  looked_at: number
}

type Deps = { sql: Sql; log: Logger; elapsed: () => number }

/** Whether this API key asked the question. Only its requests count. */
export const isAsker = ({ details }: DecisionRecord, key_id: string | undefined): boolean =>
  key_id !== undefined && details.asker.api_key_id === key_id

export class DecisionLooks {
  readonly #deps: Deps
  readonly #leases = new Map<string, Lease>()
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> = Promise.resolve()
  /** Since when renewals have failed; null if the last one worked. */
  #failing_since: number | null = null
  /** Before that, leases may have passed only because nobody could renew them. */
  #trusted_from: number
  readonly #began: number
  /** The database's time when it last answered. */
  #database_ms: number | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#began = deps.elapsed()
    this.#trusted_from = this.#began + LOOK_TIMES.grace
  }

  /** A waiter of the decision has come. */
  enter(looked: Looked): void {
    const lease = this.#leaseOf(looked)
    lease.waiters++
    if (lease.until - this.#deps.elapsed() < LOOK_TIMES.short / 2) this.#renewSoon()
  }

  /** A waiter of the decision has left. */
  leave(decision_id: string): void {
    const lease = this.#leases.get(decision_id)
    if (!lease) return
    lease.waiters--
    lease.left_at = this.#deps.elapsed()
  }

  /** The key that asked has read the decision, and doesn't wait. */
  look(looked: Looked): void {
    const lease = this.#leaseOf(looked)
    if (this.#deps.elapsed() - lease.looked_at >= LOOK_TIMES.look) lease.look = true
  }

  /** The decision has ended, so nothing more is written about it. */
  forget(decision_id: string): void {
    this.#leases.delete(decision_id)
  }

  /** The lease has passed in the database. Returns whether somebody waits here; then it is renewed soon. */
  passed(decision_id: string): boolean {
    const lease = this.#leases.get(decision_id)
    if (!lease || lease.waiters === 0) return false
    this.#dropLease(lease)
    return true
  }

  /** Whether a lease that has passed means that its waiters are gone. */
  get trusted(): boolean {
    return this.#failing_since === null && this.#deps.elapsed() >= this.#trusted_from
  }

  /** The database has answered, and this was its time. Its clock also shows that this machine slept. */
  databaseAnswered(at_ms: number): void {
    const gap = this.#database_ms === null ? this.#deps.elapsed() - this.#began : at_ms - this.#database_ms
    if (gap > LOOK_TIMES.unreachable) this.#distrust()
    this.#database_ms = at_ms
  }

  /** The database may lack leases that were written. */
  historyLost(): void {
    this.#distrust()
    for (const lease of this.#leases.values()) this.#dropLease(lease)
  }

  /** Runs every few seconds. Writes what is due; without waiters, nothing. Never rejects. */
  renew(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#renewing = this.#renewing.then(() => this.#renewDue())
    return this.#renewing
  }

  /** Clients come back to other instances, so their leases must not be shorter than if this one went on. */
  async stop(): Promise<void> {
    await this.renew()
    clearTimeout(this.#timer)
  }

  #leaseOf({ channel_id, decision_id }: Looked): Lease {
    const known = this.#leases.get(decision_id)
    if (known) return known
    const never = Number.NEGATIVE_INFINITY
    const lease = { channel_id, waiters: 0, left_at: never, until: never, look: false, looked_at: never }
    this.#leases.set(decision_id, lease)
    return lease
  }

  #dropLease(lease: Lease): void {
    lease.until = Number.NEGATIVE_INFINITY
    this.#renewSoon()
  }

  #distrust(): void {
    this.#trusted_from = this.#deps.elapsed() + LOOK_TIMES.grace
  }

  #renewSoon(): void {
    this.#timer ??= setTimeout(() => this.renew(), LOOK_TIMES.soon).unref()
  }

  async #renewDue(): Promise<void> {
    const began = this.#deps.elapsed()
    const due = this.#takeDue(began)
    try {
      const written = due.length === 0 ? [] : await writeLooks(this.#deps.sql, due)
      for (const { decision_id, left_ms } of written) {
        const lease = this.#leases.get(decision_id)
        if (!lease) continue
        lease.look = false
        lease.looked_at = began
        if (left_ms !== null) lease.until = began + left_ms
      }
      if (began - (this.#failing_since ?? began) > LOOK_TIMES.unreachable) this.#distrust()
      this.#failing_since = null
    } catch (error) {
      this.#failing_since ??= began
      this.#deps.log.debug({ err: error }, 'could not renew the leases of awaited decisions')
    }
  }

  /** Forgets what nobody waits for any more. */
  #takeDue(now: number): LookWrite[] {
    const { lease: lasts, short, look, every } = LOOK_TIMES
    const due: LookWrite[] = []
    for (const [decision_id, lease] of this.#leases) {
      const { channel_id, waiters, left_at, until } = lease
      const ago = waiters > 0 ? 0 : now - left_at
      // What the statement finds long enough isn't sent again at the next tick only because of rounding.
      const is_short = until - (now - ago) < short - every / 10
      if (is_short && ago < lasts) due.push({ channel_id, decision_id, ago })
      else if (lease.look) due.push({ channel_id, decision_id, ago: null })
      else if (ago >= lasts && now - lease.looked_at >= look) this.#leases.delete(decision_id)
    }
    return due
  }
}
