// Group commit: the turns of all channels that are ready together go to PostgreSQL in one statement.
// The statement is its own transaction: either every turn in it is durable, or none is.
import { randomUUID } from 'node:crypto'
import type { Sql } from '../database/connect.ts'
import { appendTurns } from './commit-many.ts'
import { appendOneCard, onlyCard } from './commit-one.ts'
import type { Attempt, Spent, TurnRecord } from './turn-record.ts'

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
  | { kind: 'failed'; error: unknown }

type Waiting = Attempt & { resolve: (verdict: Verdict) => void }

type Observe = (verdict: Verdict['kind'], seconds: number) => void

/** No more turns than this in one statement. */
const TURNS_MAX = 64

export class CommitLoop {
  readonly #sql: Sql
  readonly #card_limit: number | null
  readonly #observe: Observe
  #waiting: Waiting[] = []
  #running = false

  /** `observe` hears of every turn's verdict, and how long its commit took. */
  constructor(sql: Sql, daily_card_limit: number | null, observe: Observe = () => {}) {
    this.#sql = sql
    this.#observe = observe
    this.#card_limit = daily_card_limit
  }

  /** Resolves once the turn's fate is known; never rejects. */
  commit(turn: TurnRecord): Promise<Verdict> {
    return new Promise(resolve => {
      this.#waiting.push({ turn, turn_id: randomUUID(), resolve })
      if (!this.#running) void this.#run()
    })
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, TURNS_MAX)
      await this.#write(batch)
    }
    this.#running = false
  }

  #append(batch: Waiting[]): Promise<Spent[]> {
    const [first] = batch
    const only = first && batch.length === 1 ? onlyCard(first.turn) : null
    if (!first || !only) return appendTurns(this.#sql, batch, this.#card_limit)
    return appendOneCard(this.#sql, first.turn, first.turn_id, only, this.#card_limit)
  }

  async #write(batch: Waiting[]): Promise<void> {
    const began = performance.now()
    const tell = ({ resolve }: Waiting, verdict: Verdict) => {
      this.#observe(verdict.kind, (performance.now() - began) / 1000)
      resolve(verdict)
    }
    try {
      const also = batch.flatMap(({ turn }) => turn.also)
      const spent =
        also.length === 0
          ? await this.#append(batch)
          : await this.#sql.begin(async tx => {
              const used = await appendTurns(tx, batch, this.#card_limit)
              for (const write of also) await write(tx)
              return used
            })
      for (const waiting of batch) tell(waiting, { kind: 'committed', used: usedOf(waiting.turn, spent) })
    } catch (error) {
      if (batch.length > 1 && !isConnectionLoss(error)) {
        // One turn's refusal must not be the others': each is tried alone.
        for (const one of batch) await this.#write([one])
        return
      }
      for (const waiting of batch) tell(waiting, verdictOf(error, waiting.turn_id))
    }
  }
}

function verdictOf(error: unknown, turn_id: string): Verdict {
  if (isConnectionLoss(error)) return { kind: 'unknown', turn_id }
  const { code, message, constraint } = describe(error)
  if (code === 'CF001' && message === 'over_quota') return { kind: 'over_quota' }
  if (code === 'CF001' && message === 'key_taken') return { kind: 'key_taken' }
  if (code === 'CF001' && message === 'history') return { kind: 'history' }
  // A unique violation of the log's or of a card's means that someone wrote since.
  const written = code === '23505' && /^(document_updates|cards)_/.test(constraint)
  if (code === 'CF001' || written || code === '40P01') return { kind: 'lost' }
  return { kind: 'failed', error }
}

/** True where nothing is known of what the server did with the last statement. */
export function isConnectionLoss(error: unknown): boolean {
  const { code } = describe(error)
  return /^(CONNECTION_|CONNECT_TIMEOUT|ECONN|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|08|57P0|53300)/.test(
    code,
  )
}

function describe(error: unknown): { code: string; message: string; constraint: string } {
  if (!(error instanceof Error)) return { code: '', message: '', constraint: '' }
  const constraint = 'constraint_name' in error ? String(error.constraint_name) : ''
  return { code: 'code' in error ? String(error.code) : '', message: error.message, constraint }
}

function usedOf({ spent }: TurnRecord, used: Spent[]): number | null {
  const day = used.find(({ user_id, day }) => user_id === spent?.user_id && day === spent.day)
  return day?.cards ?? null
}
