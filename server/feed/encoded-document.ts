// A channel's document as Yjs bytes. New cards only add to its end, so they are written without a Yjs transaction. The
// whole document is the structs of all updates, one after the other, without those of archived pages.

import type { BlockOf } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { blockKey, cardFields, oldestLivePage, pageOf } from '../../shared/channel-doc.ts'
import { readUpdate, type Struct } from './update-reader.ts'
import { mergeRanges, type Range, UpdateWriter } from './update-writer.ts'

/** Neighbouring structs of one update that belong to the same page, or to none. */
type Segment = Range & {
  page: number | null
  structs: number
  /** Their bytes are those from `from` to `to`; null: they left with their page. */
  update: Uint8Array | null
  from: number
  to: number
}

/** The clock of the item that holds `oldest_page`, if there is one, and its value. */
type OldestPage = { clock: number | null; page: number }

export class EncodedDocument {
  readonly #client_id: number
  #segments: Segment[] = []
  #deleted: Range[] = []
  /** The clock of each live page's map. */
  readonly #pages = new Map<number, number>()
  #oldest: OldestPage = { clock: null, page: 0 }
  clock = 0
  /** The length of `encode()`, about. */
  bytes = 0
  /** Whether it still contains something that was overwritten or deleted. Only Yjs can remove that. */
  stale = false

  /** `updates`: the document as one update, and the log after it. */
  constructor(client_id: number, updates: Uint8Array[]) {
    this.#client_id = client_id
    for (const [i, update] of updates.entries()) this.add(update, i === 0)
  }

  /**
   * Throws, and changes nothing, if the update doesn't continue the document. `whole`: it is a document of its own, so
   * it no longer contains what it names as deleted.
   */
  add(update: Uint8Array, whole = false): void {
    const { client_id, clock, structs, deleted } = readUpdate(update)
    if (client_id !== null && client_id !== this.#client_id)
      throw new Error(`an update is of client ${client_id}, not of ${this.#client_id}`)
    if (clock !== this.clock) throw new Error(`an update begins at clock ${clock}, not at ${this.clock}`)
    if (!whole) this.stale ||= deleted.some(range => !this.#isArchival(range))
    for (const struct of structs) this.#addStruct(update, struct)
    this.#deleted.push(...deleted)
    this.bytes += update.length
    this.#dropArchived()
  }

  /** Appends new cards, oldest first, and returns the update. */
  append(cards: PlacedCard[]): Uint8Array {
    const writer = new UpdateWriter(this.#client_id, this.clock)
    const pages = new Map(this.#pages)
    let oldest = this.#oldest
    const deleted: Range[] = []
    for (const card of cards) {
      const number = pageOf(card.position)
      let page = pages.get(number)
      if (page === undefined) {
        const oldest_page = oldestLivePage(number)
        if (oldest_page > oldest.page) {
          deleted.push(...takePagesBefore(oldest_page, pages))
          if (oldest.clock !== null) deleted.push({ clock: oldest.clock, length: 1 })
          oldest = { clock: writeOldest(writer, oldest.clock, oldest_page), page: oldest_page }
        }
        page = writer.map('pages', String(number))
        pages.set(number, page)
      }
      writeCard(writer, page, card)
    }
    const update = writer.finish(deleted)
    this.add(update)
    return update
  }

  /** The whole document as one update. */
  encode(): Uint8Array<ArrayBuffer> {
    const writer = new UpdateWriter(this.#client_id, 0)
    for (const { update, from, to, structs, length } of this.#segments) {
      if (update) writer.encoded(update.subarray(from, to), structs, length)
      else writer.garbage(length)
    }
    return writer.finish(this.#deleted)
  }

  #addStruct(update: Uint8Array, struct: Struct): void {
    const { clock, length, from, to } = struct
    const page = this.#pageOf(struct)
    const last = this.#segments.at(-1)
    if (last?.update === update && last.page === page) {
      last.length += length
      last.structs++
      last.to = to
    } else {
      this.#segments.push({ page, clock, length, structs: 1, update, from, to })
    }
    this.clock = clock + length
  }

  /** The page that a struct belongs to; null: none. Remembers the items of live pages and of `oldest_page`. */
  #pageOf({ place, clock, length, number }: Struct): number | null {
    if (place === null) return null
    if ('parent' in place) return this.#pageAt(place.parent)
    const last = clock + length - 1
    if ('neighbour' in place) {
      const { neighbour } = place
      if (neighbour === this.#oldest.clock) this.#oldest = { clock: last, page: number ?? this.#oldest.page }
      const page = this.#pageAt(neighbour)
      // A page's map may be replaced by a copy.
      if (page !== null && this.#pages.get(page) === neighbour) this.#pages.set(page, last)
      return page
    }
    if (place.root === 'channel' && place.key === 'oldest_page')
      this.#oldest = { clock: last, page: number ?? 0 }
    if (place.root !== 'pages') return null
    const page = Number(place.key)
    this.#pages.set(page, last)
    return page
  }

  /** Finds the segment by bisection. */
  #pageAt(clock: number): number | null {
    let low = 0
    let high = this.#segments.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#segments[middle]?.clock ?? 0) <= clock) low = middle
      else high = middle - 1
    }
    return this.#segments[low]?.page ?? null
  }

  /** Whether a deleted range is only a live page's map, or `oldest_page`: so it is if the update archives that page. */
  #isArchival({ clock, length }: Range): boolean {
    return length === 1 && (clock === this.#oldest.clock || [...this.#pages.values()].includes(clock))
  }

  #dropArchived(): void {
    const archived = new Set([...this.#pages.keys()].filter(page => page < this.#oldest.page))
    if (archived.size === 0) return
    for (const page of archived) this.#pages.delete(page)
    const segments: Segment[] = []
    for (const segment of this.#segments) {
      const leaves = segment.page !== null && archived.has(segment.page)
      if (leaves) this.#deleted.push({ clock: segment.clock, length: segment.length })
      const last = segments.at(-1)
      if (segment.update && !leaves) segments.push(withOwnBytes(segment))
      else if (last && !last.update) last.length += segment.length
      else segments.push({ ...segment, page: null, structs: 1, update: null, from: 0, to: 0 })
    }
    this.#segments = segments
    this.#deleted = mergeRanges(this.#deleted)
    this.bytes = segments.reduce((sum, { from, to }) => sum + to - from, 0)
  }
}

/** Structs that belong to no page stay when their update's cards leave, and must not keep those in memory. */
function withOwnBytes(segment: Segment): Segment {
  const { page, update, from, to } = segment
  if (page !== null || !update || to - from === update.length) return segment
  return { ...segment, update: update.slice(from, to), from: 0, to: to - from }
}

/** Removes the pages before `oldest_page`. Returns what to delete: a page's map is deleted with all that is in it. */
function takePagesBefore(oldest_page: number, pages: Map<number, number>): Range[] {
  const taken = [...pages].filter(([page]) => page < oldest_page)
  for (const [page] of taken) pages.delete(page)
  return taken.map(([, clock]) => ({ clock, length: 1 }))
}

/** `clock`: of the value before, if there is one. Returns the clock of the new value. */
function writeOldest(writer: UpdateWriter, clock: number | null, page: number): number {
  return clock === null ? writer.value('channel', 'oldest_page', page) : writer.replacement(clock, page)
}

/** The same items in the same order as `insertCard` in shared/channel-doc.ts. */
function writeCard(writer: UpdateWriter, page: number, card: PlacedCard): void {
  const map = writer.map(page, card.id)
  for (const [key, value] of cardFields(card)) writer.value(map, key, value)
  for (const block of card.blocks) {
    if (block.type === 'kv') writeKv(writer, writer.map(map, blockKey(block.id)), block)
    else writer.value(map, blockKey(block.id), block)
  }
}

function writeKv(writer: UpdateWriter, map: number, { id, type, rows }: BlockOf<'kv'>): void {
  writer.value(map, 'id', id)
  writer.value(map, 'type', type)
  const array = writer.array(map, 'rows')
  if (rows.length > 0) writer.elements(array, rows)
}
