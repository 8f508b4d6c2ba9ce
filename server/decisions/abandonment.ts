// Closes questions with `abandon: cancel` that nobody waits for any more: their last lease has passed.
import type { Logger } from 'pino'
import type { Sql, Transaction } from '../database/connect.ts'
import type { EndQuestion, QuestionRef } from './end-question.ts'
import { fromAbandonable, giveFirstLeases, readNextLease, takePassedLease } from './look-rows.ts'
import type { DecisionLooks } from './looks.ts'
import { QuestionSweep } from './sweep.ts'

type Deps = { sql: Sql; log: Logger; elapsed: () => number; looks: DecisionLooks; endQuestion: EndQuestion }

/** All leases are read at least so often, and once the first of them passes. */
const SWEEP_MS = 5_000

/** A waiter came back before the turn was committed. */
class NotAbandoned extends Error {
  override name = 'NotAbandoned'
}

export class DecisionAbandonment {
  readonly #deps: Deps
  readonly #sweep: QuestionSweep
  #due_at = Number.NEGATIVE_INFINITY

  constructor(deps: Deps) {
    this.#deps = deps
    this.#sweep = new QuestionSweep({
      log: deps.log,
      read: (apart, limit) => this.#readPassed(apart, limit),
      close: question => this.#close(question),
    })
  }

  /** Whether a lease may have passed since the last sweep. */
  get due(): boolean {
    return this.#deps.elapsed() >= this.#due_at
  }

  async sweep(): Promise<void> {
    const { sql, looks, elapsed } = this.#deps
    const began = elapsed()
    const { left_ms, missing } = await readNextLease(sql)
    this.#due_at = began + Math.min(left_ms ?? SWEEP_MS, SWEEP_MS)
    if (missing) await giveFirstLeases(sql)
    if (left_ms !== null && left_ms <= 0 && looks.trusted) await this.#sweep.run()
  }

  async #close(question: QuestionRef): Promise<boolean> {
    const { looks, endQuestion } = this.#deps
    if (looks.passed(question.decision_id)) return false
    const takeLease = async (tx: Transaction) => {
      // The turn may have waited for a database that was away.
      if (!looks.trusted || !(await takePassedLease(tx, question))) throw new NotAbandoned()
    }
    return endQuestion(question, 'abandon', takeLease).catch(error => {
      if (error instanceof NotAbandoned) return false
      throw error
    })
  }

  /** Owners take turns, so that none delays the questions of others. */
  async #readPassed(apart: string[], limit: number): Promise<QuestionRef[]> {
    const { sql } = this.#deps
    return sql<QuestionRef[]>`
      select channel_id, owner_id, card_id, decision_id from (
        select p.*, w.user_id as owner_id, row_number() over (partition by w.user_id order by p.until) as turn
        from (
          select d.channel_id, d.card_id, d.id as decision_id, l.until ${fromAbandonable(sql)} and l.until <= now()
            and not d.id = any(${apart}::uuid[])
        ) p join channels c on c.id = p.channel_id join workspaces w on w.id = c.workspace_id
      ) q order by turn, until limit ${limit}`
  }
}
