// Makes a turn: applies mutations to the live document, and collects the rows to be written. Does no I/O.
import { randomUUID } from 'node:crypto'
import type { Block } from '../../shared/block.ts'
import type { CardStatus, PatchCardBody, PlacedCard } from '../../shared/card.ts'
import { isEmptyPatch, patchCard } from '../../shared/card-patch.ts'
import type { Receipts } from '../../shared/channel.ts'
import { pageOf } from '../../shared/channel-doc.ts'
import { Invalid } from '../../shared/invalid.ts'
import type { Transaction } from '../database/connect.ts'
import { ApiError, notFound } from '../errors.ts'
import { dailyLimitReached } from '../rate-limit.ts'
import { eventsOf } from './events.ts'
import type { HistoryIdentity } from './history.ts'
import type { LiveDocument } from './live-document.ts'
import type { DocumentHead } from './log.ts'
import type { CardRef, Mutation, Outcome, TurnedCard } from './mutation.ts'
import type { PendingMutation } from './mutation-queue.ts'
import { writeReceipts } from './receipt-rows.ts'
import type { Turn } from './turn.ts'
import { type ReceiptRules, TurnReceipts } from './turn-receipts.ts'

export type Prefetched = {
  cards: PlacedCard[]
  keys: Map<string, string>
  /** Archived pages that changed within the hour, with their versions; null: not read. */
  touched: Map<number, number> | null
  /** Null: no mutation shows or hides receipts. */
  receipts: ReceiptRules | null
}

/** The mutation and those after it must wait for the next turn. */
export class NotThisTurn extends Error {}

export type TurnContext = {
  head: DocumentHead
  history: HistoryIdentity
  owner_id: string
  now: number
  day: string
  quota: { limit: number | null; left: number | null }
}

/** `spend` takes one card from the owner's quota and returns what remains, or throws. */
type TurnStart = { seq: number; next_position: number; now: string; spend: () => number | null }

/**
 * `turn` is null if the document stays the same. A mutation that must wait for another turn is neither applied nor
 * rejected. After an unexpected error, `live` is unusable.
 */
export function makeTurn(
  live: LiveDocument,
  prefetched: Prefetched,
  batch: PendingMutation[],
  context: TurnContext,
) {
  const { head, history, owner_id, now, day, quota } = context
  const applied: { pending: PendingMutation; outcome: Outcome }[] = []
  const rejected: { pending: PendingMutation; error: unknown }[] = []
  let spent = 0
  const appends = onlyInserts(
    batch.map(({ request }) => request.mutation),
    prefetched.keys,
  )
  const builder = new TurnBuilder(live, prefetched, {
    seq: head.seq + 1,
    next_position: head.next_position,
    now: new Date(now).toISOString(),
    spend: () => {
      if (quota.left !== null && spent >= quota.left) throw dailyLimitReached('cards', quota.limit ?? 0, now)
      spent++
      return quota.left === null ? null : quota.left - spent
    },
  })
  const applyAll = () => {
    const before = live.clock
    applyEach()
    if (appends) return
    builder.finish()
    // Stored responses and other rows need a turn, even if the document stays the same.
    const must = applied.some(({ pending: { request } }) => request.responseToStore || request.also)
    if ((must || builder.also.length > 0) && live.clock === before) live.mark()
  }
  const applyEach = () => {
    for (const pending of batch) {
      try {
        applied.push({ pending, outcome: builder.apply(pending.request.mutation) })
      } catch (error) {
        if (error instanceof NotThisTurn) return
        if (!(error instanceof Invalid || error instanceof ApiError)) throw error
        rejected.push({ pending, error })
      }
    }
  }
  const update = appends ? builder.append(applyAll) : live.transact(applyAll)
  if (!update) return { applied, rejected, turn: null }
  const rows = [...builder.rows.values()]
  const cards = (kind: TurnedCard['is']) => rows.filter(({ is }) => is === kind).map(({ card }) => card)
  const [inserted, changed, deleted] = [cards('new'), cards('changed'), cards('deleted')]
  const turn: Turn = {
    turn_id: randomUUID(),
    channel_id: live.channel_id,
    epoch: head.epoch,
    client_id: head.client_id,
    known: head.seq,
    known_clock: head.clock,
    history,
    clock: live.clock,
    next_position: builder.next_position,
    card_count: head.card_count + inserted.length - deleted.length,
    update,
    events: head.events_until !== null && Date.parse(head.events_until) > now ? eventsOf(rows) : null,
    inserted,
    changed,
    deleted: deleted.map(({ id }) => id),
    owner_id,
    deleted_paths: deleted.flatMap(pathsOf),
    pages: [...builder.pages],
    spent: spent > 0 ? { user_id: owner_id, day, cards: spent } : null,
    responses: applied.flatMap(
      ({ pending: { request }, outcome }) => request.responseToStore?.(outcome) ?? [],
    ),
    also: [...builder.also, ...alsoOf(applied)],
  }
  return { applied, rejected, turn }
}

function alsoOf(applied: { pending: PendingMutation; outcome: Outcome }[]): Turn['also'] {
  return applied.flatMap(({ pending, outcome }) => {
    const { also } = pending.request
    return also ? [(tx: Transaction) => also(tx, outcome)] : []
  })
}

/** `keys`: of cards that exist. */
export function onlyInserts(mutations: Mutation[], keys: ReadonlyMap<string, string>): boolean {
  const inserted = new Set<string>()
  return mutations.every(mutation => {
    if (mutation.kind !== 'upsert') return mutation.kind === 'insert'
    if (keys.has(mutation.key) || inserted.has(mutation.key)) return false
    inserted.add(mutation.key)
    return true
  })
}

function pathsOf({ id, key, channel_id }: PlacedCard): string[] {
  const ends = key === undefined ? [id] : [id, `by-key/${key}`]
  return ends.flatMap(end => ['/api/v1', '/api'].map(base => `${base}/channels/${channel_id}/cards/${end}`))
}

export class TurnBuilder {
  readonly rows = new Map<string, TurnedCard>()
  readonly pages = new Set<number>()
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
  #appends = false

  next_position: number

  constructor(document: LiveDocument, prefetched: Prefetched, at: TurnStart) {
    this.#document = document
    this.#receipts = new TurnReceipts(document, prefetched.receipts)
    this.#archived = new Map(prefetched.cards.map(card => [card.id, card]))
    this.#keys = new Map(prefetched.keys)
    this.#touched = new Map(prefetched.touched ?? [])
    this.#knowsTouched = prefetched.touched !== null
    this.#at = at
    this.next_position = at.next_position
  }

  /** A turn whose mutations only insert cards needs no Yjs transaction. Returns its update; null if it has no cards. */
  append(work: () => void): Uint8Array | null {
    this.#appends = true
    work()
    const cards = [...this.rows.values()].map(({ card }) => card)
    return cards.length === 0 ? null : this.#document.encoded.appendCards(cards)
  }

  /** Applies the mutation completely, or throws before anything has changed. */
  apply(mutation: Mutation): Outcome {
    switch (mutation.kind) {
      case 'insert':
        return this.#insert(mutation.id, mutation.blocks, mutation.status, undefined)
      case 'upsert':
        return this.#upsert(mutation)
      case 'patch':
        return this.#patch(mutation.ref, mutation.body)
      case 'delete':
        return this.#delete(mutation.ref)
      case 'head':
        this.#document.changeHead(mutation.change)
        this.#receipts.headChanged()
        if (mutation.receipts) this.#hideReceipts(mutation.receipts)
        return { kind: 'head' }
      case 'press':
        return this.#press(mutation)
      case 'hide_receipts':
        this.#hideReceipts()
        return { kind: 'receipts' }
      case 'forget_receipts':
        return this.#forgetReceipts(mutation)
    }
  }

  /** Runs after the last mutation, since presses of one turn cause one write per block. */
  finish(): void {
    const changes = this.#receipts.write((card, change) => this.#changeLive(card, change))
    if (changes) this.also.push(tx => writeReceipts(tx, this.#document.channel_id, changes))
  }

  #press({ card_id, judge, by }: Extract<Mutation, { kind: 'press' }>): Outcome {
    // What a turn clears can't be shown again in the same commit.
    if (by && this.#receipts.cleared) throw new NotThisTurn()
    const card = card_id === null ? null : this.#find({ id: card_id })
    const judged = judge({ card, head: this.#document.head })
    if (by) this.#receipts.show(card, judged.logged.trigger, by)
    return { kind: 'pressed', ...judged }
  }

  #hideReceipts(receipts?: Receipts): void {
    for (const page of this.#receipts.hide(receipts)) if (this.#document.isArchived(page)) this.#touch(page)
  }

  #forgetReceipts({ card_ids, before }: Extract<Mutation, { kind: 'forget_receipts' }>): Outcome {
    this.#receipts.forget(null, before)
    for (const id of card_ids) {
      const row = this.rows.get(id)
      const card = row?.card ?? this.#document.find(id) ?? this.#archived.get(id)
      if (card && row?.is !== 'deleted') this.#receipts.forget(card, before)
    }
    return { kind: 'receipts' }
  }

  #insert(id: string, blocks: Block[], status: CardStatus, key: string | undefined): Outcome {
    const remaining = this.#at.spend()
    const card: PlacedCard = {
      id,
      channel_id: this.#document.channel_id,
      status,
      blocks,
      created_at: this.#at.now,
      updated_at: this.#at.now,
      position: this.next_position++,
    }
    if (key !== undefined) card.key = key
    if (!this.#appends) for (const old of this.#document.insert(card)) this.#archived.set(old.id, old)
    this.rows.set(id, { card, is: 'new' })
    if (key !== undefined) this.#keys.set(key, id)
    return { kind: 'inserted', card, remaining }
  }

  #upsert({ id: new_id, key, blocks, status }: Extract<Mutation, { kind: 'upsert' }>): Outcome {
    const id = this.#keys.get(key)
    if (id === undefined) {
      // One statement can't delete a unique key and insert it again.
      if (this.#freed.has(key)) throw new NotThisTurn()
      return this.#insert(new_id, blocks, status, key)
    }
    const { acts: _, ...current } = this.#find({ id })
    this.#receipts.replaced(this.#find({ id }))
    const card = { ...current, blocks, status, updated_at: this.#at.now }
    return this.#change(card, () => this.#document.replace(card))
  }

  #patch(ref: CardRef, body: PatchCardBody): Outcome {
    const current = this.#find(ref)
    if (isEmptyPatch(body)) return { kind: 'unchanged', card: current }
    const patched = patchCard(current, body, this.#at.now)
    const card = { ...patched.card, position: current.position }
    const outcome = this.#change(card, () => this.#document.patch(card, patched.changes))
    this.#receipts.patched(card)
    return outcome
  }

  #delete(ref: CardRef): Outcome {
    const card = this.#find(ref)
    this.#changeLive(card, () => this.#document.delete(card))
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
    if (id === undefined) throw notFound('Card')
    const row = this.rows.get(id)
    if (row?.is === 'deleted') throw notFound('Card')
    const card = row?.card ?? this.#document.find(id) ?? this.#archived.get(id)
    if (!card) throw notFound('Card')
    return card
  }

  #change(card: PlacedCard, changeLive: () => void): Outcome {
    this.#changeLive(card, changeLive)
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
