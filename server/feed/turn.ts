// A turn: the writes that wait for a channel, applied to its live document one after another.
// No I/O: what a write needs of the database was read before, and what it leaves there is collected here.

import type { Block } from '../../shared/block.ts'
import type { CardStatus, PatchCardBody, PlacedCard } from '../../shared/card.ts'
import { isEmptyPatch, patchCard } from '../../shared/card-patch.ts'
import type { ChannelHead } from '../../shared/channel.ts'
import { pageOf } from '../../shared/channel-doc.ts'
import { Invalid } from '../../shared/invalid.ts'
import { notFound } from '../errors.ts'
import type { LiveDocument } from './live-document.ts'

/** A card in a path: by its id, or by the key that an automation gave it. */
export type CardRef = { id: string } | { key: string }

export type Write =
  | { kind: 'insert'; id: string; blocks: Block[]; status: CardStatus }
  | { kind: 'upsert'; id: string; key: string; blocks: Block[]; status: CardStatus }
  | { kind: 'patch'; ref: CardRef; body: PatchCardBody }
  | { kind: 'delete'; ref: CardRef }
  /** `change` sees the head as it is in this turn. */
  | { kind: 'head'; change: (head: ChannelHead) => Partial<ChannelHead> }

export type Outcome =
  /** `remaining` of the owner's daily quota; null: no limit. */
  | { kind: 'inserted'; card: PlacedCard; remaining: number | null }
  | { kind: 'updated'; card: PlacedCard }
  | { kind: 'unchanged'; card: PlacedCard }
  | { kind: 'deleted'; id: string }
  | { kind: 'head' }

/** What the database knew when the turn began, of the cards that its writes name. */
export type Prefetched = {
  /** Cards outside the live document. */
  cards: PlacedCard[]
  /** Key → card id. */
  keys: Map<string, string>
  /** Archived pages that changed within the hour, with their versions; null where that was not asked. */
  touched: Map<number, number> | null
}

/** A write that must wait for the next turn, and all after it. */
export class NotThisTurn extends Error {}

type Row = { card: PlacedCard; is: 'new' | 'changed' | 'deleted' }

export class Turn {
  readonly rows = new Map<string, Row>()
  /** Archived pages changed by this turn. */
  readonly pages = new Set<number>()
  readonly #document: LiveDocument
  readonly #touched: Map<number, number>
  readonly #knowsTouched: boolean
  readonly #archived: Map<string, PlacedCard>
  readonly #keys: Map<string, string>
  readonly #freed = new Set<string>()
  readonly #seq: number
  readonly #now: string
  readonly #spend: () => number | null
  #position: number

  /**
   * `seq`: the turn's place in the log. `next_position`: where its first new card goes. `spend`: takes one card
   * of the owner's quota and says what remains, or throws.
   */
  constructor(
    document: LiveDocument,
    prefetched: Prefetched,
    at: { seq: number; next_position: number; now: string; spend: () => number | null },
  ) {
    this.#document = document
    this.#archived = new Map(prefetched.cards.map(card => [card.id, card]))
    this.#keys = new Map(prefetched.keys)
    this.#touched = new Map(prefetched.touched ?? [])
    this.#knowsTouched = prefetched.touched !== null
    this.#seq = at.seq
    this.#now = at.now
    this.#spend = at.spend
    this.#position = at.next_position
  }

  get next_position(): number {
    return this.#position
  }

  /** Cards more than before the turn, or fewer. */
  get card_delta(): number {
    let delta = 0
    for (const { is } of this.rows.values()) delta += is === 'new' ? 1 : is === 'deleted' ? -1 : 0
    return delta
  }

  /** Applies one write whole, or throws a refusal before anything has changed. */
  apply(write: Write): Outcome {
    switch (write.kind) {
      case 'insert':
        return this.#insert(write.id, write.blocks, write.status, undefined)
      case 'upsert':
        return this.#upsert(write)
      case 'patch':
        return this.#patch(write.ref, write.body)
      case 'delete':
        return this.#delete(write.ref)
      case 'head':
        this.#document.head(write.change(this.#document.readHead()))
        return { kind: 'head' }
    }
  }

  #insert(id: string, blocks: Block[], status: CardStatus, key: string | undefined): Outcome {
    const remaining = this.#spend()
    const card: PlacedCard = {
      id,
      channel_id: this.#document.channel_id,
      status,
      blocks,
      created_at: this.#now,
      updated_at: this.#now,
      position: this.#position++,
    }
    if (key !== undefined) card.key = key
    for (const old of this.#document.insert(card)) this.#archived.set(old.id, old)
    this.rows.set(id, { card, is: 'new' })
    if (key !== undefined) this.#keys.set(key, id)
    return { kind: 'inserted', card, remaining }
  }

  #upsert(write: Extract<Write, { kind: 'upsert' }>): Outcome {
    const id = this.#keys.get(write.key)
    if (id === undefined) {
      // One statement cannot free a unique key and take it again.
      if (this.#freed.has(write.key)) throw new NotThisTurn()
      return this.#insert(write.id, write.blocks, write.status, write.key)
    }
    const current = this.#find({ id })
    const card = { ...current, blocks: write.blocks, status: write.status, updated_at: this.#now }
    if (this.#isArchived(card)) this.#touch(card)
    else this.#document.replace(card)
    return this.#changed(card)
  }

  #patch(ref: CardRef, body: PatchCardBody): Outcome {
    const current = this.#find(ref)
    if (isEmptyPatch(body)) return { kind: 'unchanged', card: current }
    const patched = patchCard(current, body, this.#now)
    const card = { ...patched.card, position: current.position }
    if (this.#isArchived(card)) this.#touch(card)
    else this.#document.patch(card, patched.changes)
    return this.#changed(card)
  }

  #delete(ref: CardRef): Outcome {
    const card = this.#find(ref)
    if (this.#isArchived(card)) this.#touch(card)
    else this.#document.delete(card)
    if (this.rows.get(card.id)?.is === 'new') this.rows.delete(card.id)
    else this.rows.set(card.id, { card, is: 'deleted' })
    this.#archived.delete(card.id)
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

  #isArchived(card: PlacedCard): boolean {
    return this.#document.isArchived(pageOf(card.position))
  }

  #touch(card: PlacedCard): void {
    const page = pageOf(card.position)
    this.pages.add(page)
    this.#touched.set(page, this.#seq)
    this.#document.touch(this.#touched, this.#knowsTouched)
  }

  #changed(card: PlacedCard): Outcome {
    const is = this.rows.get(card.id)?.is === 'new' ? 'new' : 'changed'
    this.rows.set(card.id, { card, is })
    return { kind: 'updated', card }
  }
}

/** True for what a write may throw to its caller without harm to the turn. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Invalid || (error instanceof Error && error.name === 'ApiError')
}
