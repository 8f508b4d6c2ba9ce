// A channel's document as Yjs bytes: the structs of all updates in order. Those of archived pages are replaced by garbage
// of the same length. It is read and changed without Yjs. update-writer.ts explains structs, clocks and garbage.
import { oldestLivePage } from '../../../shared/channel-doc.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import { type ClockRange, mergeRanges, rangesFinder } from './clock-ranges.ts'
import { Contents, type EncodedMap } from './contents.ts'
import { LivePages } from './live-pages.ts'
import { SegmentList } from './segment-list.ts'
import { readUpdate, visitStructs } from './update-reader.ts'
import { UpdateWriter } from './update-writer.ts'

/** A turn's changes. `stale`: the pages in which something was overwritten or deleted; null: outside of pages. */
type Turn = { writer: UpdateWriter; deleted: ClockRange[]; stale: Set<number | null> }

/** An item that was read takes about so many bytes of memory. */
const MEMORY_PER_ITEM = 250

/** From so many cards on, whole pages are read. */
const FEW_CARDS = 4

export class EncodedDocument {
  readonly #client_id: number
  readonly #segments = new SegmentList()
  #deleted: ClockRange[] = []
  readonly #pages = new LivePages()
  #clock = 0
  #turn: Turn | null = null
  /** By page; null: of what belongs to no page. Read when they are needed. */
  readonly #contents = new Map<number | null, Contents>()
  /** By id. Of a page that isn't in `#contents`, only the card was read. */
  readonly #cards = new Map<string, { page: number; contents: Contents }>()
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
    return this.#pages.oldest.value
  }

  /** About how many bytes of memory it takes. */
  get memory(): number {
    const all = new Set([
      ...this.#contents.values(),
      ...[...this.#cards.values()].map(({ contents }) => contents),
    ])
    return [...all].reduce((sum, { size }) => sum + size * MEMORY_PER_ITEM, this.bytes)
  }

  /** Frees what was read from the bytes and not used since `since` (monotonic). */
  freeUnused(since: number): void {
    if (this.#used >= since) return
    this.#forgetContents()
    this.#segments.join()
  }

  /** Throws, and changes nothing, if the update doesn't continue the document. `whole`: it is all of the document. */
  addUpdate(update: Uint8Array, whole = false): void {
    const { client_id, clock, structs, deleted } = readUpdate(update)
    if (client_id !== null && client_id !== this.#client_id)
      throw new Error(`an update is of client ${client_id}, not of ${this.#client_id}`)
    if (clock !== this.#clock) throw new Error(`an update begins at clock ${clock}, not at ${this.#clock}`)
    if (!whole) {
      this.stale ||= deleted.some(range => !this.#pages.isArchival(range))
      for (const { clock, length } of deleted)
        this.#pages.countTombstones(this.#segments.pageAt(clock), length)
    }
    for (const struct of structs) {
      const page = this.#pages.track(update, struct, clock => this.#segments.pageAt(clock))
      this.#segments.addStruct(page, update, struct)
      this.#clock = struct.clock + struct.length
    }
    this.#forgetContents()
    this.#added(update, deleted)
  }

  /** Returns the update with what `work` changed; null if that is nothing. If it throws, the document is unusable. */
  transact(work: () => void): Uint8Array | null {
    const turn: Turn = {
      writer: new UpdateWriter(this.#client_id, this.#clock),
      deleted: [],
      stale: new Set(),
    }
    this.#turn = turn
    work()
    this.#turn = null
    const { writer, deleted, stale } = turn
    if (writer.clock === this.#clock) return null
    const update = writer.finish(deleted)
    for (const part of writer.parts) this.#segments.push({ ...part, update })
    this.#clock = writer.clock
    this.stale ||= stale.size > 0
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
    return this.#pages.numbers
  }

  /** A live page, or one that leaves the document in this turn. */
  page(page: number): EncodedMap | undefined {
    return this.#pages.maps.has(page) ? this.#contentsOf(page).root('pages').getMap(String(page)) : undefined
  }

  /** Of the pages in which the turn overwrote or deleted something: see `LivePages.crowded`. */
  crowdedPages(max: number): number[] {
    const crowded = this.#pages.crowded(max, () => this.#segments.byPage('structs'))
    return crowded.filter(page => this.#openTurn().stale.has(page))
  }

  /** Which of these pages has the card. */
  pageWith(card_id: string): number | undefined {
    const known = this.#cards.get(card_id)
    if (known && this.card(known.page, card_id)) return known.page
    const bytes = Buffer.from(card_id)
    const searched = new Set<number>()
    for (const { page, update, from, to } of this.#segments.newestFirst()) {
      if (page === null || !update || searched.has(page)) continue
      // The id may also be in the text of another card.
      const isMentioned = Buffer.from(update.buffer, update.byteOffset + from, to - from).includes(bytes)
      if (!isMentioned && !this.#contents.has(page)) continue
      searched.add(page)
      if (this.card(page, card_id)) return page
    }
    return undefined
  }

  /** A card's map, and its page's. */
  card(page: number, id: string): { page: EncodedMap; card: EncodedMap } | undefined {
    if (!this.#pages.maps.has(page)) return undefined
    this.#used = performance.now()
    const contents = this.#contents.get(page) ?? this.#cards.get(id)?.contents ?? this.#readFor(page, id)
    const map = contents.root('pages').getMap(String(page))
    const card = map?.getMap(id)
    if (!map || !card) return undefined
    this.#cards.set(id, { page, contents })
    return { page: map, card }
  }

  /** Runs `write` with the clock of a page's map. Begins the page if it is new; a sixth page archives the oldest. */
  writeToPage(page: number, write: (writer: UpdateWriter, map: number) => void): void {
    const map = this.#pages.maps.get(page) ?? this.beginPage(page)
    this.#write(page, writer => write(writer, map))
  }

  /** Begins a page, or replaces its map by an empty one. Returns the clock of its map. */
  beginPage(page: number): number {
    const before = this.#pages.maps.get(page)
    if (before === undefined) this.archiveBefore(oldestLivePage(page))
    else this.#delete(page, before)
    // Here, so that nothing of the old map is read.
    this.#contents.delete(page)
    this.#cards.clear()
    this.#pages.mapReplaced(page)
    this.#write(page, writer => {
      const clock = before === undefined ? writer.map('pages', String(page)) : writer.mapReplacement(before)
      this.#pages.maps.set(page, clock)
    })
    return this.#pages.maps.get(page) ?? 0
  }

  /** Pages before `oldest` leave the document. */
  archiveBefore(oldest: number): void {
    if (oldest <= this.#pages.oldest.value) return
    const { deleted } = this.#openTurn()
    // Only the pages' maps, because Yjs deletes their contents with them.
    for (const [live, map] of this.#pages.maps) if (live < oldest) deleted.push({ clock: map, length: 1 })
    this.setOldestPage(oldest)
  }

  setOldestPage(value: number): void {
    const { clock } = this.#pages.oldest
    if (clock !== null) this.#openTurn().deleted.push({ clock, length: 1 })
    this.#write(null, writer => {
      const now =
        clock === null ? writer.value('channel', 'oldest_page', value) : writer.replacement(clock, value)
      this.#pages.oldest = { clock: now, value }
    })
  }

  /** If it takes more than `max_bytes`: see `LivePages.oldestThatFits`. Then the next archival isn't soon. */
  oldestThatFits(max_bytes = LIVE_MAX_BYTES): number | null {
    return this.bytes <= max_bytes ? null : this.#pages.oldestThatFits(this.#segments.byPage('bytes'))
  }

  /** The whole document as one update, without what was overwritten or deleted. */
  encode(): Uint8Array<ArrayBuffer> {
    return this.#segments.encode(this.#client_id, this.#deleted, this.stale)
  }

  #openTurn(): Turn {
    if (!this.#turn) throw new Error('a document changes during a turn only')
    return this.#turn
  }

  /** `contents`: reads what is written, to stay up to date. */
  #write(
    page: number | null,
    write: (writer: UpdateWriter) => void,
    contents = this.#contents.get(page),
  ): void {
    const { writer } = this.#openTurn()
    const { clock } = writer
    const from = writer.written.length
    write(writer)
    writer.endPart(page)
    if (!contents) return
    const update = writer.written
    const written = { update, from, to: update.length, clock }
    visitStructs(written, struct => contents.read(update, struct, () => false))
  }

  #delete(page: number | null, clock: number): void {
    const turn = this.#openTurn()
    turn.deleted.push({ clock, length: 1 })
    turn.stale.add(page)
    this.#pages.countTombstones(page, 1)
  }

  #contentsOf(page: number | null): Contents {
    this.#used = performance.now()
    const contents = this.#contents.get(page) ?? this.#read(page)
    this.#contents.set(page, contents)
    return contents
  }

  /** Reading a page again and again for one card each would take long. */
  #readFor(page: number, card_id: string): Contents {
    return this.#cards.size < FEW_CARDS ? this.#read(page, card_id) : this.#contentsOf(page)
  }

  /** `only`: the id of a card. */
  #read(page: number | null, only?: string): Contents {
    const changes = {
      write: (work: (writer: UpdateWriter) => void) => this.#write(page, work, contents),
      delete: (clock: number) => this.#delete(page, clock),
    }
    const contents = new Contents(changes, only === undefined ? null : Buffer.from(only))
    const { writer, deleted = [] } = this.#turn ?? {}
    const isDeleted = rangesFinder([...this.#deleted, ...deleted])
    const written = writer?.parts.map(part => ({ ...part, update: writer.written })) ?? []
    for (const segment of [...this.#segments.ofPage(page), ...written])
      if (segment.page === page)
        visitStructs(segment, struct => contents.read(segment.update, struct, isDeleted))
    return contents
  }

  #forgetContents(): void {
    this.#contents.clear()
    this.#cards.clear()
  }

  #added(update: Uint8Array, deleted: ClockRange[]): void {
    this.#deleted.push(...deleted)
    this.bytes += update.length
    this.#dropArchived()
  }

  #dropArchived(): void {
    const archived = this.#pages.takeArchived()
    if (archived.size === 0) return
    this.#forgetContents()
    this.#deleted = mergeRanges([...this.#deleted, ...this.#segments.archive(archived)])
    this.bytes = this.#segments.bytes
  }
}
