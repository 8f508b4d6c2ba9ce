// Group commit: the turns of all channels that are ready together go to PostgreSQL in one statement.
// The statement is its own transaction: either every turn in it is durable, or none is.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../database/connect.ts'
import { codeOf, isConnectionLoss, isLockTimeout, isUnavailable } from '../database/unavailable.ts'
import { CommitAside, type PatientTurn } from './commit-aside.ts'
import { appendTurns } from './commit-many.ts'
import { appendOneCard, onlyCard } from './commit-one.ts'
import type { Spent, TurnRecord } from './turn-record.ts'

/** `lost`: another writer was first. `unknown`: the connection broke, and `turn_id` tells later whether it got in. */
export type Verdict =
  /** `used`: what the owner's day has used with it; null where nothing was spent. */
  | { kind: 'committed'; used: number | null }
  | { kind: 'lost' }
  /** The database is not the one that the turn was made for. */
  | { kind: 'history' }
  | { kind: 'over_quota' }
  | { kind: 'key_taken' }
  | { kind: 'unknown'; turn_id: string }
  /** Nothing was committed: a row stayed locked, or the database can't write now. */
  | { kind: 'unavailable' }
  | { kind: 'failed'; error: unknown }

type WaitingTurn = PatientTurn & { resolve: (verdict: Verdict) => void }

type Observe = (verdict: Verdict['kind'], seconds: number) => void

/** No more turns than this in one statement. */
const TURNS_MAX = 64
/** The common statement waits for a lock for so long, in milliseconds; the turns of all channels wait with it. */
export const LOCK_MS = 100
/** A turn that is tried alone because of its neighbours waits for so long: 64 of them take less than a second. */
const LOCK_BRIEF_MS = 10
const PATIENCE_MS = 10_000

export class CommitLoop {
  readonly #sql: Sql
  readonly #session_waits: boolean
  readonly #card_limit: number | null
  readonly #observe: Observe
  readonly #aside: CommitAside<WaitingTurn>
  #waiting: WaitingTurn[] = []
  #running = false

  /**
   * `observe` hears of every turn's verdict, and how long its commit took. `aside`: ASIDE_CONNECTIONS connections for
   * the turns that would delay others. `session_waits`: the sessions of `sql` wait for LOCK_MS by themselves, which saves
   * each statement the setting of it: about 5 % of a single card's.
   */
  constructor(
    sql: Sql,
    daily_card_limit: number | null,
    observe: Observe = () => {},
    aside: Sql = sql,
    session_waits = false,
  ) {
    this.#sql = sql
    this.#session_waits = session_waits
    this.#observe = observe
    this.#card_limit = daily_card_limit
    this.#aside = new CommitAside({
      settle: (batch, lock_ms) => this.#settle(aside, batch, lock_ms),
      giveUp: turn => this.#tell(turn, { kind: 'unavailable' }),
      brief_ms: LOCK_BRIEF_MS,
    })
  }

  /** Resolves once the turn's fate is known; never rejects. It waits for locks up to `patience_ms`. */
  commit(turn: TurnRecord, patience_ms = PATIENCE_MS): Promise<Verdict> {
    return new Promise(resolve => {
      const give_up_at = performance.now() + patience_ms
      const waiting = { turn, turn_id: randomUUID(), give_up_at, resolve }
      if (this.#aside.takes(waiting)) return
      // Rows beside the document take several round trips, which other channels are not to wait for.
      if (turn.also.length > 0) return this.#aside.add([waiting], false)
      this.#waiting.push(waiting)
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, TURNS_MAX)
      const locked = await this.#settle(this.#sql, batch, LOCK_MS)
      if (locked.length > 0) this.#aside.add(locked, true)
    }
    this.#running = false
  }

  /** Commits the batch and tells each turn its verdict. Returns the turns that met a lock: nothing of them is committed. */
  async #settle(sql: Sql, batch: WaitingTurn[], lock_ms: number, halved = false): Promise<WaitingTurn[]> {
    const began = performance.now()
    try {
      const spent = await this.#write(sql, batch, lock_ms)
      for (const waiting of batch)
        this.#tell(waiting, { kind: 'committed', used: usedOf(waiting.turn, spent) }, began)
      return []
    } catch (error) {
      if (isLockTimeout(error)) return batch
      // One turn's refusal must not be the others'. A database that is full, or read-only, refuses all of them:
      // two halves are enough to tell, and few enough for a database in trouble.
      if (batch.length > 1 && !isConnectionLoss(error)) {
        if (!isUnavailable(error))
          return this.#settleParts(
            sql,
            batch.map(one => [one]),
          )
        const middle = Math.ceil(batch.length / 2)
        if (!halved) return this.#settleParts(sql, [batch.slice(0, middle), batch.slice(middle)])
      }
      for (const waiting of batch) this.#tell(waiting, verdictOf(error, waiting.turn_id), began)
      return []
    }
  }

  /** `began`: when its last statement was sent, if one was. */
  #tell({ resolve }: WaitingTurn, verdict: Verdict, began = performance.now()): void {
    this.#observe(verdict.kind, (performance.now() - began) / 1000)
    resolve(verdict)
  }

  async #settleParts(sql: Sql, parts: WaitingTurn[][]): Promise<WaitingTurn[]> {
    const locked: WaitingTurn[] = []
    for (const part of parts) locked.push(...(await this.#settle(sql, part, LOCK_BRIEF_MS, true)))
    return locked
  }

  #write(sql: Sql, batch: WaitingTurn[], lock_ms: number): Promise<Spent[]> {
    const also = batch.flatMap(({ turn }) => turn.also)
    if (also.length === 0) return this.#append(sql, batch, lock_ms)
    return sql.begin(async tx => {
      const used = await appendTurns(tx, batch, this.#card_limit, lock_ms)
      for (const write of also) await write(tx)
      return used
    })
  }

  #append(sql: Sql, batch: WaitingTurn[], wait_ms: number): Promise<Spent[]> {
    const lock_ms = this.#session_waits && sql === this.#sql && wait_ms === LOCK_MS ? null : wait_ms
    const [first] = batch
    const only = first && batch.length === 1 ? onlyCard(first.turn) : null
    if (!first || !only) return appendTurns(sql, batch, this.#card_limit, lock_ms)
    return appendOneCard(sql, first.turn, first.turn_id, only, this.#card_limit, lock_ms)
  }
}

function verdictOf(error: unknown, turn_id: string): Verdict {
  if (isConnectionLoss(error)) return { kind: 'unknown', turn_id }
  const code = codeOf(error)
  const message = error instanceof Error ? error.message : ''
  if (code === 'CF001' && message === 'over_quota') return { kind: 'over_quota' }
  if (code === 'CF001' && message === 'key_taken') return { kind: 'key_taken' }
  if (code === 'CF001' && message === 'history') return { kind: 'history' }
  // A unique violation of the log's or of a card's means that someone wrote since.
  const written = code === '23505' && /^(document_updates|cards)_/.test(constraintOf(error))
  if (code === 'CF001' || written || code === '40P01') return { kind: 'lost' }
  return isUnavailable(error) ? { kind: 'unavailable' } : { kind: 'failed', error }
}

function constraintOf(error: unknown): string {
  return error instanceof Error && 'constraint_name' in error ? String(error.constraint_name) : ''
}

function usedOf({ spent }: TurnRecord, used: Spent[]): number | null {
  const day = used.find(({ user_id, day }) => user_id === spent?.user_id && day === spent.day)
  return day?.cards ?? null
}
