// A channel's document as Yjs bytes. New cards touch only its end, so they are appended without a Yjs transaction, and
// the document is encoded by joining what is here.

import type { BlockOf } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { blockKey, cardFields, oldestLivePage, pageOf } from '../../shared/channel-doc.ts'
import { readUpdate, type Struct } from './update-reader.ts'
import { mergeRanges, type Range, UpdateWriter } from './update-writer.ts'

/** Neighbouring structs of one page of cards, or of none. */
type Segment = Range & {
  page: number | null
  structs: number
  /** Their bytes, from `from` to `to`; null: deleted, with the page. */
  update: Uint8Array | null
  from: number
  to: number
}

export class EncodedDocument {
  readonly #client_id: number
  #segments: Segment[] = []
  #deleted: Range[] = []
  /** The clock of each live page's map. */
  readonly #pages = new Map<number, number>()
  /** The item that holds `oldest_page`. */
  #oldest = { clock: -1, page: 0 }
  clock = 0
  bytes = 0
  /** Whether it still contains something that was overwritten or deleted. Only Yjs can remove that. */
  stale = false

  /** `updates`: the document as one update, and the log after it. */
  constructor(client_id: number, updates: Uint8Array[]) {
    this.#client_id = client_id
    for (const [i, update] of updates.entries()) this.add(update, i === 0)
  }

  /** `whole`: the update is a document of its own, so what it names as deleted isn't in it any more. */
  add(update: Uint8Array, whole = false): void {
    const { clock, structs, deleted } = readUpdate(update)
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
        const page_from = oldestLivePage(number)
        if (page_from > oldest.page) {
          // Deleting a page's map deletes all that is in it.
          for (const [old, clock] of pages) {
            if (old >= page_from) continue
            deleted.push({ clock, length: 1 })
            pages.delete(old)
          }
          deleted.push({ clock: oldest.clock, length: 1 })
          oldest = { clock: writer.replacement(oldest.clock, page_from), page: page_from }
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

  encode(): Uint8Array {
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

  /** The page that a struct belongs to; null: none. Notes the items of pages and of `oldest_page`. */
  #pageOf({ place, clock, length, number }: Struct): number | null {
    if (place === null) return null
    if ('parent' in place) return this.#pageAt(place.parent)
    if ('neighbour' in place) {
      if (place.neighbour === this.#oldest.clock)
        this.#oldest = { clock: clock + length - 1, page: number ?? this.#oldest.page }
      const page = this.#pageAt(place.neighbour)
      if (page !== null && this.#pages.get(page) === place.neighbour)
        this.#pages.set(page, clock + length - 1)
      return page
    }
    if (place.root === 'channel' && place.key === 'oldest_page')
      this.#oldest = { clock: clock + length - 1, page: number ?? 0 }
    if (place.root !== 'pages') return null
    const page = Number(place.key)
    this.#pages.set(page, clock + length - 1)
    return page
  }

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

  #isArchival({ clock, length }: Range): boolean {
    return length === 1 && (clock === this.#oldest.clock || [...this.#pages.values()].includes(clock))
  }

  #dropArchived(): void {
    const isArchived = (page: number | null) => page !== null && page < this.#oldest.page
    const archived = [...this.#pages.keys()].filter(isArchived)
    if (archived.length === 0) return
    for (const page of archived) this.#pages.delete(page)
    const segments: Segment[] = []
    for (const segment of this.#segments) {
      const { clock, length, page, update } = segment
      if (update && !isArchived(page)) {
        segments.push(segment)
        continue
      }
      this.#deleted.push({ clock, length })
      const last = segments.at(-1)
      if (last && !last.update) last.length += length
      else segments.push({ page: null, clock, length, structs: 1, update: null, from: 0, to: 0 })
    }
    this.#segments = segments
    this.#deleted = mergeRanges(this.#deleted)
    this.bytes = segments.reduce((sum, { from, to }) => sum + to - from, 0)
  }
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
