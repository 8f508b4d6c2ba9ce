// Closes questions whose deadline has passed: for all channels once a second, and one before it is read or written.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { cardState } from '../../shared/card-state.ts'
import { isOverdue } from '../../shared/decision-rules.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { ApiError } from '../errors.ts'
import type { Question } from '../feed/channel-writer.ts'
import type { DecisionRecord } from '../feed/decision-rows.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Outcome } from '../feed/mutation.ts'
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

export class DecisionExpiry {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** Every instance sweeps. Whoever appends first closes a question; the others find it closed. */
  async sweep(): Promise<void> {
    for (;;) {
      const overdue = await this.#readOverdue()
      const closed = await Promise.all(overdue.map(question => this.#tryClose(question)))
      if (overdue.length < AT_ONCE || !closed.includes(true)) return
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
    if (card_id === null || !isOverdue(decision, this.#deps.now())) return record
    await this.close({ channel_id, owner_id, card_id, decision_id: decision.id })
    return getDecision(this.#deps.sql, channel_id, decision.id)
  }

  /** Returns whether this closed it. */
  async close({ channel_id, owner_id, card_id, decision_id }: Question): Promise<boolean> {
    const outcome = await this.#deps.feeds.get(channel_id).writer.write({
      mutation: { kind: 'end', how: 'expire', card_id, decision_id },
      owner_id,
      also: logExpiry,
    })
    const closed = outcome.kind === 'ended' && outcome.changed
    if (closed) this.#deps.logged(channel_id)
    return closed
  }

  async #tryClose(question: Question): Promise<boolean> {
    return this.close(question).catch(error => {
      // The channel was deleted meanwhile.
      if (!(error instanceof ApiError && error.status === 404))
        this.#deps.log.warn({ err: error, ...question }, 'could not close a question')
      return false
    })
  }

  async #readOverdue(): Promise<Question[]> {
    const { sql } = this.#deps
    return sql<Question[]>`
      select d.channel_id, w.user_id as owner_id, d.card_id, d.id as decision_id
      from decisions d join channels c on c.id = d.channel_id join workspaces w on w.id = c.workspace_id
      where ${this.#overdue} order by d.expires_at limit ${AT_ONCE}`
  }

  get #overdue() {
    const { sql, now } = this.#deps
    return sql`d.state = 'waiting' and d.expires_at <= ${new Date(now()).toISOString()} and d.card_id is not null`
  }
}

/** An expiry is logged like a person's interaction, so that what waits for the webhook ends. */
async function logExpiry(tx: Transaction, outcome: Outcome): Promise<void> {
  if (outcome.kind !== 'ended' || !outcome.card || !outcome.record) throw new Error('nothing expired')
  const { card, record } = outcome
  const { id: decision_id, ended_at, asked_at } = record.decision
  await logInteraction(tx, {
    interaction_id: randomUUID(),
    channel_id: record.channel_id,
    card_id: card.id,
    timestamp: ended_at ?? asked_at,
    trigger: { type: 'decision_expired', block_id: record.block_id },
    card_state: cardState(card.blocks, new Map()),
    user_id: null,
    anonymous: true,
    decision_id,
  })
}
