// The decisions of a turn: what its mutations do to them, and the rows and events that follow. A plan changes nothing, so
// that a mutation can still fail; `save` keeps it.
import type { Block, BlockOf } from '../../../shared/block.ts'
import type { BlockChange } from '../../../shared/blocks/definition.ts'
import type { Card, DecisionRequest, PlacedCard } from '../../../shared/card.ts'
import { type Decision, ONE_KEY_RULE } from '../../../shared/decision.ts'
import { isOverdue, isQuestionBlock, type QuestionBlock } from '../../../shared/decision-rules.ts'
import { Invalid } from '../../../shared/invalid.ts'
import { blockWithDecision, questionBlockIn } from '../../decisions/blocks.ts'
import { type Ending, Overdue } from '../../decisions/end-question.ts'
import { type DecisionRecord, fullForm } from '../../decisions/rows.ts'
import {
  type CurrentDecision,
  cancelled,
  expiredQuestion,
  type Inquiry,
  openQuestion,
  patchQuestions,
  putQuestion,
  type QuestionContext,
  withChoices,
} from '../../decisions/rules.ts'
import { decisionRefused } from '../../errors.ts'
import type { DecisionEvent } from '../log/events.ts'
import { NotThisTurn } from './mutation.ts'

export type DecisionPlan = { blocks: Block[]; records: DecisionRecord[] }

type ButtonBlock = BlockOf<'button'>

type TurnStart = {
  channel_id: string
  now: string
  public_url: string
  findCard: (id: string | null) => Card | undefined
}

export class TurnDecisions {
  readonly changed = new Map<string, DecisionRecord>()
  readonly events: DecisionEvent[] = []
  readonly #known: Map<string, DecisionRecord>
  /** Waiting decisions with a key, by key. */
  readonly #waiting = new Map<string, DecisionRecord>()
  /** The same in the table, until this turn is committed. */
  readonly #stored: ReadonlyMap<string, DecisionRecord>
  readonly #channel_id: string
  readonly #now: string
  readonly #public_url: string
  readonly #findCard: TurnStart['findCard']

  constructor(records: DecisionRecord[], at: TurnStart) {
    this.#channel_id = at.channel_id
    this.#now = at.now
    this.#public_url = at.public_url
    this.#findCard = at.findCard
    this.#known = new Map(records.map(record => [record.decision.id, record]))
    for (const record of records) this.#noteKey(record)
    this.#stored = new Map(this.#waiting)
  }

  record(id: string): DecisionRecord | undefined {
    return this.#known.get(id)
  }

  /** The waiting question that a new card joins, or null. Throws if another question has its key. */
  join({ questions, asker, request }: Inquiry): DecisionRecord | null {
    const key = questions.find(({ settings }) => (settings.key ?? null) !== null)?.settings.key
    const holder = key ? this.#waiting.get(key) : undefined
    if (!holder) return null
    this.#refuseHolderOverdue(holder)
    const { asker: first } = holder.details
    const sameKey = first.api_key_id === asker.api_key_id
    // Without a key, questions of release 0.2 are the owner's.
    const samePerson =
      first.user_id === undefined ? first.kind === asker.kind : first.user_id === asker.user_id
    if (sameKey && samePerson && request !== null && request === holder.details.request) return holder
    throw this.#keyInUse(holder)
  }

  /** In these plans, `inquiry` is undefined if the request asks nothing. */
  insert(card_id: string, blocks: Block[], inquiry: Inquiry | undefined): DecisionPlan {
    if (!inquiry) return { blocks, records: [] }
    const requests = byBlock(inquiry.questions)
    const records: DecisionRecord[] = []
    const after = blocks.map(block => {
      const request = requests.get(block.id)
      if (!request || block.type !== 'button') return block
      const record = openQuestion(this.#context(card_id, block, inquiry), request)
      records.push(record)
      return { ...block, decision: record.decision }
    })
    this.#checkKeys(records)
    return { blocks: after, records }
  }

  put({ id, blocks: before }: Card, blocks: Block[], inquiry: Inquiry | undefined): DecisionPlan {
    const currents = new Map(before.filter(isQuestionBlock).map(block => [block.id, this.#current(block)]))
    for (const { decision } of currents.values()) this.#refuseOverdue(id, decision)
    const requests = byBlock(inquiry?.questions ?? [])
    const records: DecisionRecord[] = []
    const after = blocks.map(block => {
      const request = requests.get(block.id)
      if (!request || !inquiry || block.type !== 'button') return block
      const current = currents.get(block.id) ?? null
      currents.delete(block.id)
      const { replaced, next } = putQuestion(this.#context(id, block, inquiry), request, current)
      if (replaced) records.push(replaced)
      if (next && !isSame(next, current)) records.push(next)
      const decision = next?.decision ?? current?.decision
      return decision ? { ...block, decision } : block
    })
    for (const current of currents.values())
      if (current.decision.state === 'waiting') records.push(cancelled(current, 'replaced', this.#now))
    if (inquiry) checkOneKey(after)
    this.#checkKeys(records)
    return { blocks: after, records }
  }

  /** `card`: patched, with its decisions as before. Returns `changes` with the blocks as they are after the plan. */
  patch(
    { id, blocks }: Card,
    changes: BlockChange<Block>[],
    inquiry: Inquiry | undefined,
  ): DecisionPlan & { changes: BlockChange<Block>[] } {
    const patched = new Set(changes.map(({ block }) => block.id))
    const records: DecisionRecord[] = []
    const after = blocks.map(block => {
      if (block.type !== 'button' || !patched.has(block.id)) return block
      const current = isQuestionBlock(block) ? this.#current(block) : null
      const requests = inquiry?.questions.filter(({ block_id }) => block_id === block.id) ?? []
      if (requests.length === 0 || !inquiry) {
        const next = current?.decision.state === 'waiting' ? withChoices(current, block) : null
        if (next && !isSame(next, current)) records.push(next)
        return block
      }
      if (current) this.#refuseOverdue(id, current.decision)
      const next = patchQuestions(this.#context(id, block, inquiry), requests, current)
      if (!next || isSame(next, current)) return block
      records.push(next)
      return { ...block, decision: next.decision }
    })
    if (inquiry) checkOneKey(after)
    this.#checkKeys(records)
    const blockAfter = (block: Block) => after.find(({ id }) => id === block.id) ?? block
    return {
      blocks: after,
      records,
      changes: changes.map(change => ({ ...change, block: blockAfter(change.block) })),
    }
  }

  /** The questions of a card that is deleted. */
  delete({ id, blocks }: Card): DecisionRecord[] {
    const waiting = blocks.filter(isQuestionBlock).filter(({ decision }) => decision.state === 'waiting')
    for (const { decision } of waiting) this.#refuseOverdue(id, decision)
    // The commit clears `card_id` in the rows that exist already.
    const ended = [...this.changed.values()].filter(
      ({ card_id, decision }) => card_id === id && decision.state !== 'waiting',
    )
    return [
      ...waiting.map(block => cancelled(this.#current(block), 'deleted', this.#now)),
      ...ended.map(record => ({ ...record, card_id: null })),
    ]
  }

  /** Returns null if the question doesn't wait any more, or has time left. */
  end(card: PlacedCard, decision_id: string, how: Ending): DecisionPlan | null {
    const shown = questionBlockIn(card, decision_id)
    if (!shown) return null
    const record = this.#ended(card.id, this.#current(shown), how)
    return record && { blocks: card.blocks.map(block => blockWithDecision(block, record)), records: [record] }
  }

  /** Ends a question that waits in its row only. Returns whether it did. */
  endLeft(card: PlacedCard | null, decision_id: string, how: Ending): boolean {
    const ended = this.#endedLeft(card, decision_id, how)
    if (ended) this.save([ended])
    return ended !== null
  }

  /** Null if the question has ended, or if the card asks it. */
  #endedLeft(card: PlacedCard | null, decision_id: string, how: Ending): DecisionRecord | null {
    const record = this.#known.get(decision_id)
    if (record?.decision.state !== 'waiting' || how === 'forget') return null
    const shown = questionBlockIn(card, decision_id)?.decision
    if (shown) return shown.state === 'waiting' ? null : { ...record, decision: shown }
    const left = { ...record, card_id: card?.id ?? null }
    if (isOverdue(left.decision, Date.parse(this.#now))) return expiredQuestion({ record: left, ...left })
    const reason = how === 'withdraw' ? 'withdrawn' : card ? 'replaced' : 'deleted'
    return cancelled({ record: left, ...left }, reason, this.#now)
  }

  #ended(card_id: string, current: CurrentDecision, how: Ending): DecisionRecord | null {
    const { decision, record } = current
    if (how === 'forget') {
      if (!decision.outcome || !record) return null
      const outcome = { ...decision.outcome, by: { ...decision.outcome.by, name: null }, comment: null }
      return { ...record, decision: { ...decision, outcome } }
    }
    if (how === 'expire') {
      return isOverdue(decision, Date.parse(this.#now)) ? expiredQuestion(current) : null
    }
    if (decision.state !== 'waiting' || (how === 'abandon' && decision.abandon !== 'cancel')) return null
    this.#refuseOverdue(card_id, decision)
    return cancelled(current, how === 'abandon' ? 'abandoned' : 'withdrawn', this.#now)
  }

  /** Adds what a mutation planned to the turn. There is an event for each question that begins or ends. */
  save(records: DecisionRecord[]): void {
    for (const record of records) {
      const { id, key, state } = record.decision
      const before = this.#known.get(id)?.decision
      if (before?.key && this.#waiting.get(before.key)?.decision.id === id) this.#waiting.delete(before.key)
      this.#known.set(id, record)
      this.changed.set(id, record)
      if (key !== null) this.#noteKey(record)
      if (before?.state !== state)
        this.events.push({ type: `decision.${state}`, data: fullForm(record, this.#public_url) })
    }
  }

  #noteKey(record: DecisionRecord): void {
    const { key, state } = record.decision
    if (key !== null && state === 'waiting') this.#waiting.set(key, record)
  }

  #checkKeys(records: DecisionRecord[]): void {
    const ending = new Set(
      records.flatMap(({ decision: { id, state } }) => (state === 'waiting' ? [] : [id])),
    )
    for (const { decision } of records) {
      if (!decision.key || decision.state !== 'waiting') continue
      const holder = this.#waiting.get(decision.key)
      if (holder && holder.decision.id !== decision.id && !ending.has(holder.decision.id)) {
        this.#refuseHolderOverdue(holder)
        throw this.#keyInUse(holder)
      }
      // One statement can't give a key to another question while its holder gets a new one.
      const stored = this.#stored.get(decision.key)?.decision.id ?? decision.id
      if (
        stored !== decision.id &&
        this.#known.get(stored)?.decision.state === 'waiting' &&
        !ending.has(stored)
      )
        throw new NotThisTurn()
    }
  }

  #keyInUse(holder: DecisionRecord) {
    const shown = fullForm(holder, this.#public_url)
    return decisionRefused('key_in_use', shown)
  }

  #refuseOverdue(card_id: string, decision: Decision): void {
    if (isOverdue(decision, Date.parse(this.#now))) throw new Overdue(card_id, decision.id)
  }

  #refuseHolderOverdue(holder: DecisionRecord): void {
    const { card_id, decision } = holder
    // A release that doesn't know decisions removes them from cards.
    const isShown = questionBlockIn(this.#findCard(card_id), decision.id) !== undefined
    if (!isShown || isOverdue(decision, Date.parse(this.#now))) throw new Overdue(card_id, decision.id)
  }

  #current({ decision }: QuestionBlock): CurrentDecision {
    return { decision, record: this.#known.get(decision.id) }
  }

  #context(card_id: string, block: ButtonBlock, inquiry: Inquiry): QuestionContext {
    const shown = (decision: Decision) => {
      const record = this.#known.get(decision.id)
      return record ? fullForm(record, this.#public_url) : decision
    }
    return { channel_id: this.#channel_id, card_id, block, inquiry, now: this.#now, shown }
  }
}

/** A request may add a key to a card that has one already. */
function checkOneKey(blocks: Block[]): void {
  const keys = blocks.filter(isQuestionBlock).filter(({ decision }) => decision.key !== null)
  if (keys.length > 1) throw new Invalid(['decision', 'key'], ONE_KEY_RULE)
}

const byBlock = (requests: DecisionRequest[]) => new Map(requests.map(request => [request.block_id, request]))

/** Another request may ask the same question. */
const isSame = (next: DecisionRecord, current: CurrentDecision | null) =>
  current?.record !== undefined && textOf(next) === textOf(current.record)

const textOf = (record: DecisionRecord) =>
  JSON.stringify({ ...record, details: { ...record.details, request: null } })
