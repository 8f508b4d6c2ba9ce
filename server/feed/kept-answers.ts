// Bounds how much is kept for each user's Idempotency-Keys. No answer is forgotten early, since a repeat could then run
// twice; so beyond the bound, requests with new keys are refused.
import type { Sql } from '../database/connect.ts'
import { tooManyAnswers } from '../errors.ts'

const ANSWERS_MAX = 100_000
const BYTES_MAX = 64 * 1024 * 1024
const READ_EVERY_MS = 60_000

type Sum = {
  answers: number
  bytes: number
  /** When the oldest is a day old, in terms of performance.now(). */
  frees_at: number
}

/**
 * The sums are read at most once a minute per user. In between, this instance adds what it keeps; what others keep and
 * what is still being done may exceed the bound by a little.
 */
export class KeptAnswers {
  readonly #sql: Sql
  readonly #elapsed: () => number
  readonly #sums = new Map<string, { read_at: number; sum: Promise<Sum> }>()

  constructor(sql: Sql, elapsed: () => number) {
    this.#sql = sql
    this.#elapsed = elapsed
  }

  /** Throws 429 if no more is kept for this user. */
  async refuseBeyond(user_id: string): Promise<void> {
    const { read_at, sum } = this.#read(user_id)
    const { answers, bytes, frees_at } = await sum
    if (answers < ANSWERS_MAX && bytes < BYTES_MAX) return
    throw tooManyAnswers((Math.max(frees_at, read_at + READ_EVERY_MS) - this.#elapsed()) / 1_000)
  }

  /** An answer was kept. It never fails: the work is done. */
  add(user_id: string, response: string): void {
    const count = (sum: Sum) => {
      sum.answers += 1
      sum.bytes += Buffer.byteLength(response)
    }
    this.#sums.get(user_id)?.sum.then(count, () => {})
  }

  /** Reads all sums again, and remembers none of users who are gone. */
  clear(): void {
    this.#sums.clear()
  }

  #read(user_id: string): { read_at: number; sum: Promise<Sum> } {
    const read_at = this.#elapsed()
    const known = this.#sums.get(user_id)
    if (known && read_at - known.read_at < READ_EVERY_MS) return known
    const next = { read_at, sum: this.#query(user_id) }
    this.#sums.set(user_id, next)
    next.sum.catch(() => this.#sums.delete(user_id))
    return next
  }

  async #query(user_id: string): Promise<Sum> {
    const [row] = await this.#sql<{ answers: number; bytes: number; seconds: number }[]>`
      select count(*) as answers, coalesce(sum(octet_length(response)), 0)::bigint as bytes,
        extract(epoch from coalesce(min(created_at), now()) + interval '24 hours' - now())::float8 as seconds
      from idempotency_keys where user_id = ${user_id} and created_at > now() - interval '24 hours'`
    if (!row) throw new Error('a sum is one row')
    return { answers: row.answers, bytes: row.bytes, frees_at: this.#elapsed() + row.seconds * 1_000 }
  }
}
