// Closes questions that should have ended: for all channels once a second, and one before it is read or written. Their deadline
// has passed, or their card doesn't ask them any more: the previous release doesn't know decisions, and may run beside this one.
import type { Logger } from 'pino'
import { isOverdue } from '../../shared/decision-rules.ts'
import type { Sql } from '../database/connect.ts'
import type { EndQuestion, QuestionRef } from './end-question.ts'
import { getDecision } from './reads.ts'
import type { DecisionRecord } from './rows.ts'
import { QuestionSweep, SWEPT_AT_ONCE } from './sweep.ts'

type Deps = { sql: Sql; log: Logger; now: () => number; endQuestion: EndQuestion }

export class DecisionExpiry {
  readonly #deps: Deps
  readonly #sweep: QuestionSweep

  constructor(deps: Deps) {
    this.#deps = deps
    this.#sweep = new QuestionSweep({
      log: deps.log,
      read: (apart, limit) => this.#readOverdue(apart, limit),
      close: question => deps.endQuestion(question, 'expire'),
    })
  }

  sweep(): Promise<void> {
    return this.#sweep.run()
  }

  /** Ends questions without a deadline that their cards don't ask any more. Reads all questions that wait. */
  async sweepLeft(): Promise<void> {
    const { sql } = this.#deps
    for (let after = NO_CARD; ; ) {
      const waiting = await sql<(QuestionRef & { card_id: string; left: boolean })[]>`
        select d.channel_id, w.user_id as owner_id, d.card_id, d.id as decision_id, not exists (
            select from cards k cross join json_array_elements(k.blocks) block
            where k.channel_id = d.channel_id and k.id = d.card_id
              and block->'decision'->>'id' = d.id::text and block->'decision'->>'state' = 'waiting') as left
        from (
          select * from decisions where state = 'waiting' and card_id > ${after}
          order by card_id fetch first ${SWEPT_AT_ONCE} rows with ties
        ) d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
        order by d.card_id`
      await Promise.all(waiting.map(({ left, ...question }) => left && this.#sweep.tryClose(question)))
      const last = waiting.at(-1)
      if (!last) return
      after = last.card_id
    }
  }

  /** Whether there is something to sweep, as a condition. */
  get due() {
    const { sql } = this.#deps
    return sql`exists (select from decisions d where ${this.#overdue})`
  }

  /** The question as it is now. A reader must not learn of an expiry that isn't written: a press could still win. */
  async current(record: DecisionRecord, owner_id: string): Promise<DecisionRecord> {
    const { channel_id, card_id, decision } = record
    if (!isOverdue(decision, this.#deps.now())) return record
    await this.#deps.endQuestion({ channel_id, owner_id, card_id, decision_id: decision.id }, 'expire')
    return getDecision(this.#deps.sql, channel_id, decision.id)
  }

  /** Owners take turns, so that none delays the questions of others. */
  async #readOverdue(apart: string[], limit: number): Promise<QuestionRef[]> {
    const { sql } = this.#deps
    return sql<QuestionRef[]>`
      select channel_id, owner_id, card_id, decision_id from (
        select d.channel_id, w.user_id as owner_id, d.card_id, d.id as decision_id, d.expires_at,
          row_number() over (partition by w.user_id order by d.expires_at) as turn
        from decisions d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
        where ${this.#overdue} and not d.id = any(${apart}::uuid[])
      ) q order by turn, expires_at limit ${limit}`
  }

  get #overdue() {
    const { sql, now } = this.#deps
    return sql`d.state = 'waiting' and (d.expires_at <= ${new Date(now()).toISOString()} or d.card_id is null)`
  }
}

/** Below all ids of cards. */
const NO_CARD = '00000000-0000-0000-0000-000000000000'
