// A channel's document as Yjs bytes. A turn of new cards adds to its end, and at most removes archived pages, so its update
// is written without a Yjs transaction. Encoded, the document is the structs of all updates in order; those of archived
// pages are replaced by garbage of the same length. update-writer.ts explains structs, clocks and garbage.
import type { BlockOf } from '../../../shared/block.ts'
import type { PlacedCard } from '../../../shared/card.ts'
import { blockKey, cardFields, oldestLivePage, pageOf } from '../../../shared/channel-doc.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import { readUpdate, type Struct } from './update-reader.ts'
import { type ClockRange, mergeRanges, type Part, UpdateWriter } from './update-writer.ts'

/** Neighbouring structs of one update that belong to the same page; or garbage, also of several updates. */
type Segment = Part & {
  /** Null: its structs are replaced by garbage. */
  update: Uint8Array | null
}

/** The field `oldest_page` of the document: its value, and the clock of the item that holds it (null: not set yet). */
type OldestPage = { clock: number | null; value: number }

export class EncodedDocument {
  readonly #client_id: number
  #segments: Segment[] = []
  #deleted: ClockRange[] = []
  /** Live page → clock of the item that holds its map. */
  readonly #maps = new Map<number, number>()
  #oldest: OldestPage = { clock: null, value: 0 }
  clock = 0
  /** The length of `encode()`, about. */
  bytes = 0
  /** Whether it still contains something that was overwritten or deleted. Only Yjs can remove that. */
  stale = false

  /** `updates`: the document as one update, and the log after it. */
  constructor(client_id: number, updates: Uint8Array[]) {
    this.#client_id = client_id
    for (const [i, update] of updates.entries()) this.addUpdate(update, i === 0)
  }

  /**
   * Throws, and changes nothing, if the update doesn't continue the document. `whole`: the update is a complete document.
   * It lists deleted ranges but no longer contains them, so it isn't stale.
   */
  addUpdate(update: Uint8Array, whole = false): void {
    const { client_id, clock, structs, deleted } = readUpdate(update)
    if (client_id !== null && client_id !== this.#client_id)
      throw new Error(`an update is of client ${client_id}, not of ${this.#client_id}`)
    if (clock !== this.clock) throw new Error(`an update begins at clock ${clock}, not at ${this.clock}`)
    if (!whole) this.stale ||= deleted.some(range => !this.#isArchival(range))
    for (const struct of structs) this.#addStruct(update, struct)
    this.#added(update, deleted)
  }

  get oldest_page(): number {
    return this.#oldest.value
  }

  /**
   * If the document takes more than `max_bytes`: the oldest of the newest pages that fit into half of LIVE_MAX_BYTES, so
   * that the next archival isn't soon. The newest page counts as fitting. Null if no page has to leave.
   */
  oldestThatFits(max_bytes = LIVE_MAX_BYTES): number | null {
    if (this.bytes <= max_bytes || this.#maps.size < 2) return null
    const bytes = new Map<number | null, number>()
    for (const { page, from, to } of this.#segments) bytes.set(page, (bytes.get(page) ?? 0) + to - from)
    const [newest = 0, ...older] = [...this.#maps.keys()].sort((a, b) => b - a)
    let left = LIVE_MAX_BYTES / 2 - (bytes.get(newest) ?? 0)
    let oldest = newest
    for (const page of older) {
      left -= bytes.get(page) ?? 0
      if (left < 0) return oldest
      oldest = page
    }
    return null
  }

  /** Appends new cards, oldest first, and returns the update. Pages before `oldest_page` leave the document. */
  appendCards(cards: PlacedCard[], oldest_page = 0): Uint8Array {
    const writer = new UpdateWriter(this.#client_id, this.clock)
    const deleted: ClockRange[] = []
    for (const card of cards) {
      const page = pageOf(card.position)
      const mapClock = this.#maps.get(page) ?? this.#beginPage(page, writer, deleted)
      writeCard(writer, mapClock, card)
      writer.endPart(page)
    }
    this.#archiveBefore(oldest_page, writer, deleted)
    const update = writer.finish(deleted)
    for (const part of writer.parts) this.#segments.push({ ...part, update })
    this.clock = writer.clock
    this.#added(update, deleted)
    return update
  }

  /** Returns the clock of the page's map. Archives the oldest pages if there would be too many. */
  #beginPage(page: number, writer: UpdateWriter, deleted: ClockRange[]): number {
    this.#archiveBefore(oldestLivePage(page), writer, deleted)
    const mapClock = writer.map('pages', String(page))
    this.#maps.set(page, mapClock)
    return mapClock
  }

  #archiveBefore(oldest: number, writer: UpdateWriter, deleted: ClockRange[]): void {
    const { clock, value } = this.#oldest
    if (oldest <= value) return
    // Only the pages' maps, because Yjs deletes their contents with them.
    for (const [live, mapClock] of this.#maps) if (live < oldest) deleted.push({ clock: mapClock, length: 1 })
    if (clock !== null) deleted.push({ clock, length: 1 })
    this.#oldest = { clock: writeOldestPage(writer, clock, oldest), value: oldest }
    writer.endPart(null)
  }

  /** The whole document as one update, or at least all that was added after the clock `begin`. */
  encode(begin = 0): Uint8Array<ArrayBuffer> {
    const segments = this.#segments.filter(({ clock, length }) => clock + length > begin)
    const writer = new UpdateWriter(this.#client_id, segments[0]?.clock ?? begin)
    for (const { update, from, to, structs, length } of segments) {
      if (update) writer.encoded(update.subarray(from, to), structs, length)
      else writer.garbage(length)
    }
    return writer.finish(this.#deleted)
  }

  #added(update: Uint8Array, deleted: ClockRange[]): void {
    this.#deleted.push(...deleted)
    this.bytes += update.length
    this.#dropArchived()
  }

  #addStruct(update: Uint8Array, struct: Struct): void {
    const { clock, length, from, to } = struct
    const page = this.#track(struct)
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

  /** Returns the page that a struct belongs to, or null. Remembers the items with pages' maps and with `oldest_page`. */
  #track({ place, clock, length, integer }: Struct): number | null {
    if (place === null) return null
    if ('parent' in place) return this.#pageAt(place.parent)
    const last = clock + length - 1
    if ('neighbour' in place) {
      const { neighbour } = place
      if (neighbour === this.#oldest.clock)
        this.#oldest = { clock: last, value: integer ?? this.#oldest.value }
      const page = this.#pageAt(neighbour)
      // tombstones.ts replaces a page's map by a copy, to remove what was overwritten.
      if (page !== null && this.#maps.get(page) === neighbour) this.#maps.set(page, last)
      return page
    }
    if (place.root === 'channel' && place.key === 'oldest_page')
      this.#oldest = { clock: last, value: integer ?? 0 }
    if (place.root !== 'pages') return null
    const page = Number(place.key)
    this.#maps.set(page, last)
    return page
  }

  /** The page of the struct at `clock`, found by bisection. */
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

  /** Whether the range is just live pages' maps and `oldest_page`: the update archives pages; `#dropArchived` follows. */
  #isArchival({ clock, length }: ClockRange): boolean {
    const clocks = new Set([this.#oldest.clock, ...this.#maps.values()])
    for (let i = 0; i < length; i++) if (!clocks.has(clock + i)) return false
    return true
  }

  #dropArchived(): void {
    const archived = new Set([...this.#maps.keys()].filter(page => page < this.#oldest.value))
    if (archived.size === 0) return
    for (const page of archived) this.#maps.delete(page)
    const segments: Segment[] = []
    for (const segment of this.#segments) {
      const { page, clock, length, update } = segment
      const isArchived = page !== null && archived.has(page)
      if (isArchived) this.#deleted.push({ clock, length })
      if (isArchived || !update) addGarbage(segments, segment)
      else segments.push(withOwnBytes(segment))
    }
    this.#segments = segments
    this.#deleted = mergeRanges(this.#deleted)
    this.bytes = segments.reduce((sum, { from, to }) => sum + to - from, 0)
  }
}

function addGarbage(segments: Segment[], { clock, length }: ClockRange): void {
  const last = segments.at(-1)
  if (last && !last.update) last.length += length
  else segments.push({ page: null, clock, length, structs: 1, update: null, from: 0, to: 0 })
}

/** Structs of no page stay when their update's cards leave. Their own copy lets the update's other bytes be freed. */
function withOwnBytes(segment: Segment): Segment {
  const { page, update, from, to } = segment
  if (page !== null || !update || to - from === update.length) return segment
  return { ...segment, update: update.slice(from, to), from: 0, to: to - from }
}

/** `clock`: the item with the old value, if there is one. Returns the clock of the new item. */
function writeOldestPage(writer: UpdateWriter, clock: number | null, value: number): number {
  return clock === null ? writer.value('channel', 'oldest_page', value) : writer.replacement(clock, value)
}

/** The same items in the same order as `insertCard` in shared/channel-doc.ts. */
function writeCard(writer: UpdateWriter, mapClock: number, card: PlacedCard): void {
  const map = writer.map(mapClock, card.id)
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
