// Closes questions that should have ended: for all channels once a second, and one before it is read or written. Their deadline
// has passed, or their card doesn't ask them any more: the previous release doesn't know decisions, and may run beside this one.
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isOverdue } from '../../shared/decision-rules.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { DecisionRecord } from '../feed/log/decision-rows.ts'
import type { OverdueDecision } from '../feed/turn/channel-writer.ts'
import type { Outcome } from '../feed/turn/mutation.ts'
import { getDecision } from './decisions.ts'
import { logInteraction } from './interactions.ts'

type Deps = {
  sql: Sql
  feeds: Feeds
  log: Logger
  now: () => number
  /** The channel has a new interaction. */
  logged: (channel_id: string) => void
}

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
      const waiting = await sql<(OverdueDecision & { card_id: string; left: boolean })[]>`
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
    await this.close({ channel_id, owner_id, card_id, decision_id: decision.id })
    return getDecision(this.#deps.sql, channel_id, decision.id)
  }

  /** Returns whether this closed it. */
  async close({ channel_id, owner_id, card_id, decision_id }: OverdueDecision): Promise<boolean> {
    const outcome = await this.#deps.feeds.get(channel_id).writer.write({
      mutation: { kind: 'end', how: 'expire', card_id, decision_id },
      owner_id,
      also: async (tx, outcome) => void (await logExpiry(tx, outcome)),
    })
    const closed = outcome.kind === 'ended' && outcome.changed
    if (closed) this.#deps.logged(channel_id)
    return closed
  }

  async #closeApart(question: OverdueDecision): Promise<void> {
    const { decision_id } = question
    this.#apart.add(decision_id)
    // A question that another instance has closed isn't read again, so its rest costs nothing.
    if (await this.#tryClose(question)) this.#apart.delete(decision_id)
    else setTimeout(() => this.#apart.delete(decision_id), RETRY_MS).unref()
  }

  async #tryClose(question: OverdueDecision): Promise<boolean> {
    return this.close(question).catch(error => {
      // The channel was deleted meanwhile.
      if (!(error instanceof ApiError && error.status === 404))
        this.#deps.log.warn({ err: error, ...question }, 'could not close a question')
      return false
    })
  }

  /** Owners take turns, so that none delays the questions of others. */
  async #readOverdue(): Promise<OverdueDecision[]> {
    const { sql } = this.#deps
    return sql<OverdueDecision[]>`
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

/** An expiry is logged like a person's interaction, so that what waits for the webhook ends. */
async function logExpiry(tx: Transaction, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'ended' || !outcome.record) throw new Error('nothing ended')
  const { card, record } = outcome
  if (record.decision.state !== 'expired') return
  const { id: decision_id, ended_at, asked_at } = record.decision
  await logInteraction(tx, {
    interaction_id: randomUUID(),
    channel_id: record.channel_id,
    card_id: card?.id ?? null,
    timestamp: ended_at ?? asked_at,
    trigger: { type: 'decision_expired', block_id: record.block_id },
    card: card && { blocks: card.blocks, values: new Map() },
    user_id: null,
    anonymous: true,
    decision_id,
  })
}
