// Applies mutations to the live document, and collects what they change. Does no I/O.
import type { PlacedCard } from '../../../shared/card.ts'
import { isEmptyPatch, patchCard } from '../../../shared/card-patch.ts'
import type { Receipts } from '../../../shared/channel.ts'
import { pageOf } from '../../../shared/channel-doc.ts'
import { blockWithDecision, hasQuestion } from '../../decisions/blocks.ts'
import type { DecisionRecord } from '../../decisions/rows.ts'
import type { Inquiry } from '../../decisions/rules.ts'
import type { SignDecision } from '../../decisions/signing.ts'
import { notFound } from '../../errors.ts'
import type { LiveDocument } from '../document/live-document.ts'
import type { TurnedCard } from '../log/events.ts'
import { writeReceipts } from '../log/receipt-rows.ts'
import type { Turn } from '../log/turn.ts'
import { type CardRef, type Mutation, NotThisTurn, type Outcome } from './mutation.ts'
import type { Prefetched } from './prefetch.ts'
import { type DecisionPlan, TurnDecisions } from './turn-decisions.ts'
import type { TurnQuota } from './turn-quota.ts'
import { TurnReceipts } from './turn-receipts.ts'

type TurnStart = {
  seq: number
  next_position: number
  now: string
  public_url: string
  sign: SignDecision
  quota: TurnQuota
}

export class TurnBuilder {
  readonly rows = new Map<string, TurnedCard>()
  readonly pages = new Set<number>()
  readonly decisions: TurnDecisions
  /** Writes the rows of receipts. */
  readonly also: Turn['also'] = []
  readonly #receipts: TurnReceipts
  readonly #document: LiveDocument
  readonly #touched: Map<number, number>
  readonly #knowsTouched: boolean
  readonly #archived: Map<string, PlacedCard>
  readonly #keys: Map<string, string>
  readonly #freed = new Set<string>()
  readonly #at: TurnStart

  next_position: number

  constructor(document: LiveDocument, prefetched: Prefetched, at: TurnStart) {
    this.#document = document
    this.#archived = new Map(prefetched.cards.map(card => [card.id, card]))
    this.#keys = new Map(prefetched.keys)
    this.#touched = new Map(prefetched.touched ?? [])
    this.#knowsTouched = prefetched.touched !== null
    this.#at = at
    const { channel_id } = document
    const findCard = (id: string | null) => this.#lookUp(id)
    this.decisions = new TurnDecisions(prefetched.decisions, { channel_id, ...at, findCard })
    this.#receipts = new TurnReceipts(document, prefetched.receipts)
    this.next_position = at.next_position
  }

  /** Applies the mutation completely, or throws before anything has changed. */
  apply(mutation: Mutation): Outcome {
    switch (mutation.kind) {
      case 'insert':
        return this.#joined(mutation.inquiry) ?? this.#insert(mutation, undefined)
      case 'upsert':
        return this.#upsert(mutation)
      case 'patch':
        return this.#patch(mutation)
      case 'delete':
        return this.#delete(mutation.ref)
      case 'head':
        this.#document.changeHead(mutation.change)
        this.#receipts.headChanged()
        if (mutation.receipts) this.#hideReceipts(mutation.receipts)
        return { kind: 'head' }
      case 'press':
        return this.#press(mutation)
      case 'end':
        return this.#end(mutation)
      case 'hide_receipts':
        this.#hideReceipts()
        return { kind: 'head' }
      case 'forget_receipts':
        return this.#forgetReceipts(mutation)
    }
  }

  /** Runs after the last mutation, since presses that share a turn cause one write per block. Pages before `oldest` leave. */
  finish(oldest = 0): void {
    this.#document.archiveBefore(oldest)
    // A page that has left may still be on a screen. Its viewer must fetch what the turn has changed there.
    for (const { card } of this.rows.values())
      if (this.#document.isArchived(pageOf(card.position))) this.#touch(pageOf(card.position))
    const changes = this.#receipts.write((card, change) => this.#changeLive(card, change))
    if (changes)
      this.also.push(async tx => void (await writeReceipts(tx, this.#document.channel_id, changes)))
  }

  #joined(inquiry: Inquiry | undefined): Outcome | null {
    const record = inquiry ? this.decisions.join(inquiry) : null
    if (!record || record.card_id === null) return null
    return { kind: 'joined', card: this.#find({ id: record.card_id }) }
  }

  #insert(
    { id, blocks: sent, status, inquiry }: Omit<Extract<Mutation, { kind: 'insert' }>, 'kind'>,
    key: string | undefined,
  ): Outcome {
    const { blocks, records } = this.decisions.insert(id, sent, inquiry)
    const remaining = this.#at.quota.insert(blocks)
    const card: PlacedCard = {
      id,
      channel_id: this.#document.channel_id,
      status,
      blocks,
      created_at: this.#at.now,
      updated_at: this.#at.now,
      position: this.next_position++,
    }
    if (key !== undefined) {
      card.key = key
      this.#keys.set(key, id)
    }
    this.#document.insert(card)
    this.rows.set(id, { card, is: 'new' })
    this.decisions.save(records)
    return { kind: 'inserted', card, remaining }
  }

  #upsert(mutation: Extract<Mutation, { kind: 'upsert' }>): Outcome {
    const { key, status, inquiry } = mutation
    const id = this.#keys.get(key)
    if (id === undefined) {
      // One statement can't delete a unique key and insert it again.
      if (this.#freed.has(key)) throw new NotThisTurn()
      return this.#insert(mutation, key)
    }
    const current = this.#find({ id })
    const { blocks, records } = this.decisions.put(current, mutation.blocks, inquiry)
    const { acts: _, ...kept } = current
    const card: PlacedCard = { ...kept, blocks, status, updated_at: this.#at.now }
    if ((inquiry || hasQuestion(current)) && records.length === 0 && isEqual(card, current))
      return { kind: 'unchanged', card: current }
    this.#at.quota.replace(blocks, current.blocks)
    this.#receipts.replaced(current)
    return this.#change(card, () => this.#document.replace(card), records)
  }

  #patch({ ref, body, inquiry }: Extract<Mutation, { kind: 'patch' }>): Outcome {
    const current = this.#find(ref)
    if (isEmptyPatch(body)) return { kind: 'unchanged', card: current }
    const patched = patchCard(current, body, this.#at.now)
    const { blocks, records, changes } = this.decisions.patch(patched.card, patched.changes, inquiry)
    const card = { ...patched.card, position: current.position, blocks }
    if (inquiry && records.length === 0 && isEqual(card, current)) return { kind: 'unchanged', card: current }
    this.#at.quota.patch(blocks, current.blocks, body, changes)
    this.#receipts.patched(card)
    return this.#change(card, () => this.#document.patch(card, changes), records)
  }

  #press({ card_id, judge, by }: Extract<Mutation, { kind: 'press' }>): Outcome {
    // What a turn has removed can't be written again in the same commit.
    if (by && this.#receipts.cleared) throw new NotThisTurn()
    const card = card_id === null ? null : this.#find({ id: card_id })
    const record = (id: string) => this.decisions.record(id)
    const judged = judge({ card, head: this.#document.head(), now: this.#at.now, record })
    const decided = card && judged.decided && this.#at.sign(judged.decided, card)
    this.#at.quota.checkPress(judged.logged, decided)
    if (card && decided) {
      const blocks = card.blocks.map(block => blockWithDecision(block, decided))
      this.#keep(card, { blocks, records: [decided] })
    } else if (by) {
      this.#receipts.show(card, judged.logged.trigger, by)
    }
    return { kind: 'pressed', ...judged, decided }
  }

  #end({ card_id, decision_id, how }: Extract<Mutation, { kind: 'end' }>): Outcome {
    // The card may have been deleted since its question was read. That has ended the question.
    const card = this.#lookUp(card_id) ?? null
    const plan = card && this.decisions.end(card, decision_id, how)
    if (plan) this.#keep(card, plan)
    const changed = plan !== null || this.decisions.endLeft(card, decision_id, how)
    const record = this.decisions.record(decision_id) ?? null
    return { kind: 'ended', card, record, changed }
  }

  #hideReceipts(receipts?: Receipts): void {
    for (const page of this.#receipts.hide(receipts)) if (this.#document.isArchived(page)) this.#touch(page)
    // Even if there is nothing to hide: see `hideReceipts` in model/receipts.ts.
    this.#document.mark()
  }

  #forgetReceipts({ card_ids, before }: Extract<Mutation, { kind: 'forget_receipts' }>): Outcome {
    this.#receipts.forget(null, before)
    for (const id of card_ids) {
      const card = this.#lookUp(id)
      if (card) this.#receipts.forget(card, before)
    }
    return { kind: 'head' }
  }

  /** Writes decisions that people or time changed. `updated_at` stays: it means the automation's last change. */
  #keep(before: PlacedCard, { blocks, records }: DecisionPlan): void {
    const card = { ...before, blocks }
    const ids = new Set(records.map(({ block_id }) => block_id))
    const changes = blocks.filter(({ id }) => ids.has(id)).map(block => ({ block, appended: null }))
    this.#change(card, () => this.#document.patch(card, changes), records)
  }

  #delete(ref: CardRef): Outcome {
    const card = this.#find(ref)
    const records = this.decisions.delete(card)
    this.#changeLive(card, () => this.#document.delete(card))
    this.decisions.save(records)
    if (this.rows.get(card.id)?.is === 'new') this.rows.delete(card.id)
    else this.rows.set(card.id, { card, is: 'deleted' })
    this.#archived.delete(card.id)
    this.#receipts.cardDeleted(card.id)
    if (card.key !== undefined) {
      this.#keys.delete(card.key)
      this.#freed.add(card.key)
    }
    return { kind: 'deleted', id: card.id }
  }

  #find(ref: CardRef): PlacedCard {
    const id = 'id' in ref ? ref.id : this.#keys.get(ref.key)
    const card = id === undefined ? undefined : this.#lookUp(id)
    if (!card) throw notFound('Card')
    return card
  }

  #lookUp(id: string | null): PlacedCard | undefined {
    if (id === null) return undefined
    const row = this.rows.get(id)
    if (row?.is === 'deleted') return undefined
    return row?.card ?? this.#document.find(id) ?? this.#archived.get(id)
  }

  #change(card: PlacedCard, changeLive: () => void, records: DecisionRecord[] = []): Outcome {
    this.#changeLive(card, changeLive)
    this.decisions.save(records)
    const is = this.rows.get(card.id)?.is === 'new' ? 'new' : 'changed'
    this.rows.set(card.id, { card, is })
    return { kind: 'updated', card }
  }

  #changeLive(card: PlacedCard, change: () => void): void {
    const page = pageOf(card.position)
    if (this.#document.isArchived(page)) this.#touch(page)
    else change()
  }

  #touch(page: number): void {
    this.pages.add(page)
    this.#touched.set(page, this.#at.seq)
    this.#document.touch(this.#touched, this.#knowsTouched)
  }
}

const isEqual = (a: PlacedCard, b: PlacedCard) =>
  a.status === b.status && JSON.stringify(a.blocks) === JSON.stringify(b.blocks)
