// Closes questions that should have ended: for all channels once a second, and one before it is read or written. Their deadline
// has passed, or their card doesn't ask them any more: the previous release doesn't know decisions, and may run beside this one.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isOverdue } from '../../shared/decision-rules.ts'
import type { Sql } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { EndQuestion, QuestionRef } from './end-question.ts'
import { getDecision } from './reads.ts'
import type { DecisionRecord } from './rows.ts'

type Deps = { sql: Sql; log: Logger; now: () => number; endQuestion: EndQuestion }

/** Those of one channel share a turn, which writes the interactions one by one. */
const AT_ONCE = 64
/** After that, the next questions don't wait any longer for those before them. */
const SLOW_MS = 250
/** When a question that could not be closed is tried again. */
const RETRY_MS = 10_000

export class DecisionExpiry {
  readonly #deps: Deps
  /** Questions that a sweep leaves out: they are being closed, or could not be closed a moment ago. */
  readonly #apart = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Every instance sweeps. Whoever appends first closes a question; the others find it closed. */
  async sweep(): Promise<void> {
    for (;;) {
      const overdue = await this.#readOverdue()
      if (overdue.length === 0) return
      const closed = Promise.all(overdue.map(question => this.#closeApart(question)))
      await Promise.race([closed, delay(SLOW_MS)])
    }
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
          order by card_id fetch first ${AT_ONCE} rows with ties
        ) d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
        order by d.card_id`
      await Promise.all(waiting.map(({ left, ...question }) => left && this.#tryClose(question)))
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

  async #closeApart(question: QuestionRef): Promise<void> {
    const { decision_id } = question
    this.#apart.add(decision_id)
    // A question that another instance has closed isn't read again, so its rest costs nothing.
    if (await this.#tryClose(question)) this.#apart.delete(decision_id)
    else setTimeout(() => this.#apart.delete(decision_id), RETRY_MS).unref()
  }

  async #tryClose(question: QuestionRef): Promise<boolean> {
    return this.#deps.endQuestion(question, 'expire').catch(error => {
      // The channel was deleted meanwhile.
      if (!(error instanceof ApiError && error.status === 404))
        this.#deps.log.warn({ err: error, ...question }, 'could not close a question')
      return false
    })
  }

  /** Owners take turns, so that none delays the questions of others. */
  async #readOverdue(): Promise<QuestionRef[]> {
    const { sql } = this.#deps
    return sql<QuestionRef[]>`
      select channel_id, owner_id, card_id, decision_id from (
        select d.channel_id, w.user_id as owner_id, d.card_id, d.id as decision_id, d.expires_at,
          row_number() over (partition by w.user_id order by d.expires_at) as turn
        from decisions d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
        where ${this.#overdue} and not d.id = any(${[...this.#apart]}::uuid[])
      ) q order by turn, expires_at limit ${AT_ONCE}`
  }

  get #overdue() {
    const { sql, now } = this.#deps
    return sql`d.state = 'waiting' and (d.expires_at <= ${new Date(now()).toISOString()} or d.card_id is null)`
  }
}

/** Below all ids of cards. */
const NO_CARD = '00000000-0000-0000-0000-000000000000'
