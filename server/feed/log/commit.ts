// Group commit: one SQL statement appends the turns of all channels that are ready. The statement is its own
// transaction, so either all its turns are durable or none is. Two statements may be under way: while one waits for the
// disk, the other executes. They never share a channel, because a channel has one turn at a time.
import type { Sql, Transaction } from '../../database/connect.ts'
import { codeOf, isConnectionLoss, isLockTimeout, isUnavailable } from '../../database/unavailable.ts'
import { appendCard, appendTurns, countSpent, onlyCard } from './append-turns.ts'
import { CommitAside, LOCK_BRIEF_MS, type WaitingTurn } from './commit-aside.ts'
import type { CommitResult, DailyLimits, Spent, Turn } from './turn.ts'

const TURNS_MAX = 64
/** A statement takes no further turn when its cards have so many bytes as JSON. */
const BYTES_MAX = 4 * 1024 * 1024
/** Statements under way at the same time. The pool for them has as many connections. */
export const COMMITS_MAX = 2
/** How long the common statement waits for a lock. The turns of all channels wait with it. */
export const LOCK_MS = 100
const WAIT_MAX_MS = 10_000
/** How long a turn that is committed alone waits for the channel's row. */
const LOCK_ALONE_MS = 1_000

export class CommitLoop {
  readonly #sql: Sql
  readonly #aside_sql: Sql
  readonly #session_waits: boolean
  readonly #limits: DailyLimits
  readonly #observe: (result: CommitResult['kind'], seconds: number) => void
  readonly #aside: CommitAside
  #waiting: WaitingTurn[] = []
  #gathering = false
  #running = 0

  /** `session_waits`: sessions of `sql` already have LOCK_MS as lock_timeout. Not setting it saves 5 % of a card's commit. */
  constructor(
    sql: Sql,
    limits: DailyLimits,
    observe: (result: CommitResult['kind'], seconds: number) => void = () => {},
    aside: Sql = sql,
    session_waits = false,
  ) {
    this.#sql = sql
    this.#aside_sql = aside
    this.#session_waits = session_waits
    this.#observe = observe
    this.#limits = limits
    this.#aside = new CommitAside(
      (batch, lock_ms) => this.#commitBatch(aside, batch, lock_ms),
      waiting => this.#resolve(waiting, { kind: 'unavailable' }),
    )
  }

  /** Never rejects. `wait_ms`: how long the turn may wait for a lock, before its result is `unavailable`. */
  commit(turn: Turn, wait_ms = WAIT_MAX_MS): Promise<CommitResult> {
    return new Promise(resolve => {
      const waiting = { turn, give_up_at: performance.now() + wait_ms, resolve }
      if (this.#aside.takes(waiting)) return
      // A turn that writes other rows takes several round trips. Other channels must not wait for it.
      if (turn.also.length > 0) return this.#aside.add([waiting], false)
      this.#waiting.push(waiting)
      this.#commitSoon()
    })
  }

  /**
   * Commits the turn of what `make` returns while no other instance can append to the channel. Without this, an instance that
   * is slower than another one could lose every turn. `result` is null without a turn. Rejects only if `make` does.
   */
  async commitAlone<T extends { turn: Turn | null }>(
    channel_id: string,
    make: () => Promise<T | null>,
  ): Promise<{ made: T | null; result: CommitResult | null }> {
    const began = performance.now()
    const attempt: { made: T | null; failure: { error: unknown } | null } = { made: null, failure: null }
    const result = await this.#aside_sql
      .begin(async (tx): Promise<CommitResult | null> => {
        await tx`select set_config('lock_timeout', ${String(LOCK_ALONE_MS)}, true)`
        await tx`select from documents where channel_id = ${channel_id} for update`
        try {
          attempt.made = await make()
        } catch (error) {
          attempt.failure = { error }
        }
        const turn = attempt.made?.turn
        if (!turn) return null
        return { kind: 'committed', used: takeUsed(turn, await this.#write(tx, [turn], LOCK_MS)) }
      })
      .catch(resultOf)
    if (attempt.failure) throw attempt.failure.error
    if (result) this.#observe(result.kind, (performance.now() - began) / 1000)
    return { made: attempt.made, result }
  }

  /** The first statement begins at once; a second one after this event loop iteration, with all turns that are ready. */
  #commitSoon(): void {
    if (this.#gathering || this.#running === COMMITS_MAX) return
    if (this.#running === 0) return void this.#commitWaiting()
    this.#gathering = true
    setImmediate(() => {
      this.#gathering = false
      void this.#commitWaiting()
    })
  }

  async #commitWaiting(): Promise<void> {
    this.#running++
    const locked = await this.#commitBatch(this.#sql, this.#take(), LOCK_MS)
    this.#running--
    if (locked.length > 0) this.#aside.add(locked, true)
    if (this.#waiting.length > 0) this.#commitSoon()
  }

  #take(): WaitingTurn[] {
    let count = 0
    for (let bytes = 0; count < TURNS_MAX && bytes < BYTES_MAX; count++)
      bytes += this.#waiting[count]?.turn.bytes ?? BYTES_MAX
    return this.#waiting.splice(0, count)
  }

  /** Returns the turns that met a lock. All others get their result. */
  async #commitBatch(
    sql: Sql,
    batch: WaitingTurn[],
    lock_ms: number,
    halved = false,
  ): Promise<WaitingTurn[]> {
    const began = performance.now()
    try {
      const spent = await this.#append(sql, batch, lock_ms)
      // The statement returns what its last turn left.
      for (const waiting of batch.toReversed())
        this.#resolve(waiting, { kind: 'committed', used: takeUsed(waiting.turn, spent) }, began)
      return []
    } catch (error) {
      if (isLockTimeout(error)) return batch
      // One turn's failure must not fail the others, so each is tried alone. A full or read-only database would refuse
      // them all, so only two halves are tried: enough to find out, and few enough for a database in trouble.
      const unavailable = isUnavailable(error)
      if (batch.length > 1 && !isConnectionLoss(error) && !(unavailable && halved)) {
        const size = unavailable ? Math.ceil(batch.length / 2) : 1
        const locked: WaitingTurn[] = []
        for (let from = 0; from < batch.length; from += size) {
          const part = batch.slice(from, from + size)
          locked.push(...(await this.#commitBatch(sql, part, LOCK_BRIEF_MS, true)))
        }
        return locked
      }
      for (const waiting of batch) this.#resolve(waiting, resultOf(error), began)
      return []
    }
  }

  #resolve({ resolve }: WaitingTurn, result: CommitResult, began = performance.now()): void {
    this.#observe(result.kind, (performance.now() - began) / 1000)
    resolve(result)
  }

  #append(sql: Sql, batch: WaitingTurn[], wait_ms: number): Promise<Spent[]> {
    const turns = batch.map(({ turn }) => turn)
    if (turns.some(({ also }) => also.length > 0)) return sql.begin(tx => this.#write(tx, turns, wait_ms))
    const lock_ms = this.#session_waits && sql === this.#sql && wait_ms === LOCK_MS ? null : wait_ms
    const [turn] = turns
    const only = turn && turns.length === 1 ? onlyCard(turn) : null
    if (!turn || !only) return appendTurns(sql, turns, this.#limits, lock_ms)
    return appendCard(sql, turn, only, this.#limits, lock_ms)
  }

  /** See "Lock order" in connect.ts: the day's usage comes last. Another channel of the owner may be waiting for it. */
  async #write(tx: Transaction, turns: Turn[], lock_ms: number): Promise<Spent[]> {
    if (turns.every(({ also }) => also.length === 0)) return appendTurns(tx, turns, this.#limits, lock_ms)
    const uncounted = turns.map(turn => ({ ...turn, spent: { ...turn.spent, cards: 0, bytes: 0 } }))
    await appendTurns(tx, uncounted, this.#limits, lock_ms)
    const spent: Spent[] = []
    for (const turn of turns) {
      let { bytes } = turn.spent
      for (const write of turn.also) bytes += (await write(tx)) ?? 0
      spent.push({ ...turn.spent, bytes })
    }
    return countSpent(tx, spent, this.#limits)
  }
}

function resultOf(error: unknown): CommitResult {
  if (isConnectionLoss(error)) return { kind: 'unknown' }
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : ''
  if (code === 'CF001' && (message === 'over_quota' || message === 'key_taken' || message === 'history'))
    return { kind: message }
  // A unique violation here means that another instance has written to the channel since.
  const written = code === '23505' && /^(document_updates|cards|decisions)_/.test(constraintOf(error))
  if (code === 'CF001' || written || code === '40P01') return { kind: 'lost' }
  return isUnavailable(error) ? { kind: 'unavailable' } : { kind: 'failed', error }
}

function constraintOf(error: unknown): string {
  return error instanceof Error && 'constraint_name' in error ? String(error.constraint_name) : ''
}

/** The owner's usage after the turn. What the turn spent is taken off, so that the turn before it finds its own usage. */
function takeUsed({ spent }: Turn, used: Spent[]): number | null {
  const usage = used.find(({ user_id, day }) => user_id === spent.user_id && day === spent.day)
  if (!usage) return null
  const after = usage.cards
  usage.cards -= spent.cards
  return after
}
