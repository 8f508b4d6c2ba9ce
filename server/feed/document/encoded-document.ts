// A channel's document as Yjs bytes: the structs of all updates in order. Those of archived pages are replaced by garbage
// of the same length. It is read and changed without Yjs. update-writer.ts explains structs, clocks and garbage.
import { oldestLivePage } from '../../../shared/channel-doc.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import { rangesFinder } from './compact.ts'
import { Contents, type EncodedMap } from './contents.ts'
import { SegmentList } from './segment-list.ts'
import { readStructs, readUpdate, readValues, type Struct } from './update-reader.ts'
import { type ClockRange, CONTENT, mergeRanges, UpdateWriter } from './update-writer.ts'

/** The field `oldest_page` of the document: its value, and the clock of the item that holds it (null: not set yet). */
type OldestPage = { clock: number | null; value: number }

/** A turn's changes. `stale`: it deleted more than archived pages. */
type Turn = { writer: UpdateWriter; deleted: ClockRange[]; stale: boolean }

/** An item that was read takes about so many bytes of memory. */
const MEMORY_PER_ITEM = 250

export class EncodedDocument {
  readonly #client_id: number
  readonly #segments = new SegmentList()
  #deleted: ClockRange[] = []
  /** Live page → clock of the item that holds its map. */
  readonly #maps = new Map<number, number>()
  #oldest: OldestPage = { clock: null, value: 0 }
  #clock = 0
  #turn: Turn | null = null
  /** By page; null: of what belongs to no page. Read when they are needed. */
  readonly #contents = new Map<number | null, Contents>()
  #used = 0
  /** The length of `encode()`, about. */
  bytes = 0
  /** Whether it still contains something that was overwritten or deleted. */
  stale = false

  /** `updates`: the document as one update, and the log after it. */
  constructor(client_id: number, updates: Uint8Array[]) {
    this.#client_id = client_id
    for (const [i, update] of updates.entries()) this.addUpdate(update, i === 0)
  }

  /** During a turn, it is ahead of the log. */
  get clock(): number {
    return this.#turn?.writer.clock ?? this.#clock
  }

  get oldest_page(): number {
    return this.#oldest.value
  }

  /** About how many bytes of memory it takes. */
  get memory(): number {
    return [...this.#contents.values()].reduce((sum, { size }) => sum + size * MEMORY_PER_ITEM, this.bytes)
  }

  /** Frees what was read from the bytes and not used since `since` (monotonic). */
  freeUnused(since: number): void {
    if (this.#used < since) this.#contents.clear()
  }

  /** Throws, and changes nothing, if the update doesn't continue the document. `whole`: it is one, and isn't stale. */
  addUpdate(update: Uint8Array, whole = false): void {
    const { client_id, clock, structs, deleted } = readUpdate(update)
    if (client_id !== null && client_id !== this.#client_id)
      throw new Error(`an update is of client ${client_id}, not of ${this.#client_id}`)
    if (clock !== this.#clock) throw new Error(`an update begins at clock ${clock}, not at ${this.#clock}`)
    if (!whole) this.stale ||= deleted.some(range => !this.#isArchival(range))
    for (const struct of structs) {
      this.#segments.addStruct(this.#track(update, struct), update, struct)
      this.#clock = struct.clock + struct.length
    }
    this.#contents.clear()
    this.#added(update, deleted)
  }

  /** Returns the update with what `work` changed; null if that is nothing. If it throws, the document is unusable. */
  transact(work: () => void): Uint8Array | null {
    const turn: Turn = { writer: new UpdateWriter(this.#client_id, this.#clock), deleted: [], stale: false }
    this.#turn = turn
    work()
    this.#turn = null
    const { writer, deleted, stale } = turn
    if (writer.clock === this.#clock) return null
    const update = writer.finish(deleted)
    for (const part of writer.parts) this.#segments.push({ ...part, update })
    this.#clock = writer.clock
    this.stale ||= stale
    this.#added(update, deleted)
    return update
  }

  /** Whether the turn deleted something, and wrote nothing. */
  get onlyDeletes(): boolean {
    return this.#turn !== null && this.#turn.deleted.length > 0 && this.#turn.writer.clock === this.#clock
  }

  /** A root that isn't `pages`. */
  root(name: 'channel' | 'log'): EncodedMap {
    return this.#contentsOf(null).root(name)
  }

  /** The live pages' numbers, newest first. */
  get pages(): number[] {
    return [...this.#maps.keys()].filter(page => page >= this.#oldest.value).sort((a, b) => b - a)
  }

  /** A page that hasn't left memory: a live one, or one that left the document in this turn. */
  page(page: number): EncodedMap | undefined {
    return this.#maps.has(page) ? this.#contentsOf(page).root('pages').getMap(String(page)) : undefined
  }

  /** The pages in memory that have more tombstones than `max`. */
  crowdedPages(max: number): number[] {
    return [...this.#maps.keys()].filter(
      page => this.#contents.has(page) && (this.page(page)?.tombstones ?? 0) > max,
    )
  }

  /** The map of a live page whose map has `key`, or of a page that leaves the document in this turn. */
  pageWith(key: string): EncodedMap | undefined {
    const unread = new Set<number>()
    for (const page of this.#maps.keys()) {
      const map = this.#contents.has(page) ? this.page(page) : undefined
      if (map?.has(key)) return map
      if (!map) unread.add(page)
    }
    if (unread.size === 0) return undefined
    const bytes = Buffer.from(key)
    for (const { page, update, from, to } of this.#segments.encoded) {
      if (page === null || !unread.has(page)) continue
      const { buffer, byteOffset } = update
      if (!Buffer.from(buffer, byteOffset + from, to - from).includes(bytes)) continue
      unread.delete(page)
      const map = this.page(page)
      if (map?.has(key)) return map
    }
    return undefined
  }

  /** Runs `write` for the map of a page, which begins if there is none. A sixth page archives the oldest. */
  writeToPage(page: number, write: (writer: UpdateWriter, map: number) => void): void {
    const map = this.#maps.get(page) ?? this.beginPage(page)
    this.#write(page, writer => write(writer, map))
  }

  /** Begins a page, or replaces its map by an empty one. Returns the clock of its map. */
  beginPage(page: number): number {
    const before = this.#maps.get(page)
    if (before === undefined) this.archiveBefore(oldestLivePage(page))
    else this.#delete(before)
    // Here, so that nothing of the old map is read.
    this.#contents.delete(page)
    this.#write(page, writer => {
      const clock = before === undefined ? writer.map('pages', String(page)) : writer.mapReplacement(before)
      this.#maps.set(page, clock)
    })
    return this.#maps.get(page) ?? 0
  }

  /** Pages before `oldest` leave the document. */
  archiveBefore(oldest: number): void {
    if (oldest <= this.#oldest.value) return
    const { deleted } = this.#openTurn()
    // Only the pages' maps, because Yjs deletes their contents with them.
    for (const [live, map] of this.#maps) if (live < oldest) deleted.push({ clock: map, length: 1 })
    this.setOldestPage(oldest)
  }

  setOldestPage(value: number): void {
    const { clock } = this.#oldest
    if (clock !== null) this.#openTurn().deleted.push({ clock, length: 1 })
    this.#write(null, writer => {
      const now =
        clock === null ? writer.value('channel', 'oldest_page', value) : writer.replacement(clock, value)
      this.#oldest = { clock: now, value }
    })
  }

  /**
   * If the document takes more than `max_bytes`: the oldest of the newest pages that fit into half of LIVE_MAX_BYTES, so
   * that the next archival isn't soon. The newest page counts as fitting. Null if no page has to leave.
   */
  oldestThatFits(max_bytes = LIVE_MAX_BYTES): number | null {
    if (this.bytes <= max_bytes || this.#maps.size < 2) return null
    const bytes = this.#segments.byPage()
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

  /** The whole document as one update, without what was overwritten or deleted. */
  encode(): Uint8Array<ArrayBuffer> {
    return this.#segments.encode(this.#client_id, this.#deleted, this.stale)
  }

  #openTurn(): Turn {
    if (!this.#turn) throw new Error('a document changes during a turn only')
    return this.#turn
  }

  #write(page: number | null, write: (writer: UpdateWriter) => void): void {
    const { writer } = this.#openTurn()
    const { clock } = writer
    const from = writer.written.length
    write(writer)
    writer.endPart(page)
    const contents = this.#contents.get(page)
    if (!contents) return
    const { written } = writer
    for (const struct of readStructs(written, from, written.length, clock))
      contents.read(written, struct, false)
  }

  #delete(clock: number): void {
    const turn = this.#openTurn()
    turn.deleted.push({ clock, length: 1 })
    turn.stale = true
  }

  #contentsOf(page: number | null): Contents {
    this.#used = performance.now()
    const known = this.#contents.get(page)
    if (known) return known
    const contents = new Contents({
      write: write => this.#write(page, write),
      delete: clock => this.#delete(clock),
    })
    const { writer, deleted = [] } = this.#turn ?? {}
    const isDeleted = rangesFinder([...this.#deleted, ...deleted])
    const written = writer?.parts.map(part => ({ ...part, update: writer.written })) ?? []
    for (const segment of [...this.#segments.encoded, ...written]) {
      const { update, from, to, clock } = segment
      if (segment.page !== page) continue
      for (const struct of readStructs(update, from, to, clock))
        contents.read(update, struct, isDeleted(struct.clock))
    }
    this.#contents.set(page, contents)
    return contents
  }

  #added(update: Uint8Array, deleted: ClockRange[]): void {
    this.#deleted.push(...deleted)
    this.bytes += update.length
    this.#dropArchived()
  }

  /** Returns the page that a struct belongs to, or null. Remembers the items with pages' maps and with `oldest_page`. */
  #track(update: Uint8Array, struct: Struct): number | null {
    const { place, clock, length } = struct
    if (place === null) return null
    if ('parent' in place) return this.#segments.pageAt(place.parent)
    const last = clock + length - 1
    if ('neighbour' in place) {
      const { neighbour } = place
      if (neighbour === this.#oldest.clock)
        this.#oldest = { clock: last, value: oldestPageIn(update, struct) }
      const page = this.#segments.pageAt(neighbour)
      // A page's map may be replaced by a copy, to remove what was overwritten.
      if (page !== null && this.#maps.get(page) === neighbour) this.#maps.set(page, last)
      return page
    }
    if (place.root === 'channel' && place.key === 'oldest_page')
      this.#oldest = { clock: last, value: oldestPageIn(update, struct) }
    if (place.root !== 'pages') return null
    const page = Number(place.key)
    this.#maps.set(page, last)
    return page
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
    for (const page of archived) {
      this.#maps.delete(page)
      this.#contents.delete(page)
    }
    this.#deleted.push(...this.#segments.archive(archived))
    this.#deleted = mergeRanges(this.#deleted)
    this.bytes = this.#segments.bytes
  }
}

/** A deleted item has no value, and is followed by one that has. */
function oldestPageIn(update: Uint8Array, { content, content_at }: Struct): number {
  return content === CONTENT.values ? Number(readValues(update, content_at)[0]) : 0
}
