// A channel's Yjs document while it is being written: one client, one transaction a turn.
// It holds uncommitted state during a turn; whoever shows something to a viewer asks between turns.
import * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import type { BlockChange } from '../../shared/card-patch.ts'
import type { ChannelHead } from '../../shared/channel.ts'
import {
  type CardMap,
  channelOf,
  findCard,
  firstCardsOf,
  insertCard,
  itemCount,
  oldestLivePage,
  oldestPageOf,
  type PageMap,
  pageOf,
  pagesOf,
  patchCardMap,
  readCard,
  readHead,
  readPage,
  replaceCardMap,
  touchedOf,
  writeHead,
} from '../../shared/channel-doc.ts'

import type { FirstCards } from '../../shared/first-cards.ts'

/** A part of the document whose history can be dropped by replacing it. */
type Segment = Y.Map<unknown> | PageMap | Y.Map<number>

/** A segment is replaced by a fresh copy when its tombstones pass this and twice its live items. */
const TOMBSTONES_MIN = 512
/**
 * What a live document takes in memory, measured with 320 cards on Node 20: its strings once or, beyond Latin-1, twice
 * their encoded length, and 220 to 900 bytes an item. With these two the estimate is 0.6 to 2.2 times the truth, for
 * one-line texts (1.5 MB; truth 0.7 to 0.9), texts of 100 KB (67 MB; 34, with emoji 67) and tables of 200 rows (6.3 MB;
 * 6.6 to 10.1). Only for Chinese texts, of three encoded bytes a character, it is 2.9 times.
 */
const MEMORY_PER_ENCODED_BYTE = 2
const MEMORY_PER_ITEM = 500
/** Tombstones of other instances' turns are counted only now and then. */
const UNCOUNTED_MAX = 128

export class LiveDocument {
  readonly channel_id: string
  readonly doc: Y.Doc
  readonly #client_id: number
  readonly #worn = new Map<Segment, number>()
  #uncounted = 0

  /** `updates`: the snapshot and the log's tail, oldest first. */
  constructor(channel_id: string, client_id: number, updates: Uint8Array[]) {
    this.channel_id = channel_id
    this.doc = new Y.Doc()
    this.#client_id = client_id
    this.apply(updates)
    this.#countTombstones()
  }

  /** The place in the log that a viewer's state vector names. */
  get clock(): number {
    return Y.getState(this.doc.store, this.doc.clientID)
  }

  /** About how many bytes of memory it takes. `encoded_bytes`: about how long it is as one update. */
  memory(encoded_bytes: number): number {
    const items = this.doc.store.clients.get(this.#client_id)?.length ?? 0
    return encoded_bytes * MEMORY_PER_ENCODED_BYTE + items * MEMORY_PER_ITEM
  }

  /** The whole document as one update (v1, as stock clients read it). */
  encode(): Uint8Array {
    return Y.encodeStateAsUpdate(this.doc)
  }

  /**
   * Runs all writes of a turn in one Yjs transaction. Returns its update, or null where nothing changed.
   * The clock always rises with it, so that a state vector names one place in the log.
   */
  transact(writes: () => void): Uint8Array | null {
    let update: Uint8Array | null = null
    const capture = (bytes: Uint8Array) => {
      update = bytes
    }
    this.doc.on('update', capture)
    try {
      this.doc.transact(transaction => {
        const before = this.clock
        writes()
        this.#renewWorn()
        if (this.clock === before && transaction.deleteSet.clients.size > 0) this.#markRevision()
      })
    } finally {
      this.doc.off('update', capture)
    }
    return update
  }

  find(id: string): PlacedCard | null {
    const map = findCard(this.doc, id)
    return map ? readCard(map, this.channel_id) : null
  }

  isArchived(page: number): boolean {
    return page < oldestPageOf(this.doc)
  }

  /** The live pages' cards, oldest first; an archived page: null. */
  page(page: number): PlacedCard[] | null {
    if (this.isArchived(page)) return null
    const map = pagesOf(this.doc).get(String(page))
    return map ? readPage(map, this.channel_id) : []
  }

  /** undefined where the document has nothing yet. */
  firstCards(): FirstCards | undefined {
    return firstCardsOf(this.doc, this.channel_id)
  }

  /** Adds a card at the end. Returns the cards that left for the archive, if a sixth page began. */
  insert(card: PlacedCard): PlacedCard[] {
    const pages = pagesOf(this.doc)
    const number = pageOf(card.position)
    let page = pages.get(String(number))
    let archived: PlacedCard[] = []
    if (!page) {
      archived = this.#archiveBefore(oldestLivePage(number))
      page = new Y.Map()
      pages.set(String(number), page)
    }
    insertCard(page, card)
    return archived
  }

  patch(card: PlacedCard, changes: BlockChange[]): void {
    const [page, map] = this.#place(card)
    this.#wear(page, patchCardMap(map, card, changes))
  }

  replace(card: PlacedCard): void {
    const [page, map] = this.#place(card)
    this.#wear(page, replaceCardMap(map, card))
  }

  delete(card: PlacedCard): void {
    const [page] = this.#place(card)
    page.delete(card.id)
    this.#wear(page, 1)
  }

  readHead(): ChannelHead {
    const head = readHead(this.doc)
    if (!head) throw new Error(`the document of channel ${this.channel_id} has no head`)
    return head
  }

  head(head: Partial<ChannelHead>): void {
    writeHead(this.doc, head)
  }

  /** Tells viewers that archived pages changed, with their versions. `whole`: no other changed within the hour. */
  touch(recent: Map<number, number>, whole: boolean): void {
    const touched = touchedOf(this.doc)
    const stale = whole && touched && [...touched.keys()].some(page => !recent.has(Number(page)))
    if (!touched || stale) {
      channelOf(this.doc).set(
        'touched',
        new Y.Map([...recent].map(([page, version]) => [String(page), version])),
      )
      return
    }
    for (const [page, version] of recent) {
      if (touched.get(String(page)) === version) continue
      touched.set(String(page), version)
      this.#wear(touched, 1)
    }
  }

  /** A change without content, for a turn that must be in the log all the same. */
  mark(): void {
    this.#markRevision()
  }

  /** What another instance appended. Only between turns. */
  apply(updates: Uint8Array[]): void {
    // Yjs gives a document another client id when it meets its own in a foreign update.
    this.doc.clientID = 0
    this.doc.transact(() => {
      for (const update of updates) Y.applyUpdate(this.doc, update)
    })
    this.doc.clientID = this.#client_id
    this.#uncounted += updates.length
    if (this.#uncounted < UNCOUNTED_MAX) return
    this.#uncounted = 0
    this.#countTombstones()
  }

  destroy(): void {
    this.doc.destroy()
  }

  #place(card: PlacedCard): [PageMap, CardMap] {
    const page = pagesOf(this.doc).get(String(pageOf(card.position)))
    const map = page?.get(card.id)
    if (!page || !map) throw new Error(`card ${card.id} is not in the live document`)
    return [page, map]
  }

  #archiveBefore(oldest: number): PlacedCard[] {
    if (oldest <= oldestPageOf(this.doc)) return []
    const pages = pagesOf(this.doc)
    const archived: PlacedCard[] = []
    for (const [number, page] of [...pages.entries()]) {
      if (Number(number) >= oldest) continue
      archived.push(...readPage(page, this.channel_id))
      pages.delete(number)
      this.#worn.delete(page)
    }
    channelOf(this.doc).set('oldest_page', oldest)
    return archived
  }

  /** A transaction that only deletes leaves the clock where it was; this moves it. */
  #markRevision(): void {
    const root = this.doc.getMap('log')
    const revision = root.get('revision')
    if (revision instanceof Y.Map && (this.#worn.get(revision) ?? 0) < TOMBSTONES_MIN) {
      revision.set('rev', this.clock)
      this.#wear(revision, 1)
    } else {
      if (revision instanceof Y.Map) this.#worn.delete(revision)
      root.set('revision', new Y.Map([['rev', this.clock]]))
    }
  }

  #wear(segment: Segment, tombstones: number): void {
    this.#worn.set(segment, (this.#worn.get(segment) ?? 0) + tombstones)
  }

  /** Dropping a nested map turns its whole history into one merged range: that keeps documents small. */
  #renewWorn(): void {
    for (const [segment, tombstones] of this.#worn) {
      if (tombstones <= TOMBSTONES_MIN) continue
      if (this.#renewPage(segment, tombstones) || this.#renewTouched(segment) || segment._item?.deleted)
        this.#worn.delete(segment)
    }
  }

  #renewPage(segment: Segment, tombstones: number): boolean {
    for (const [number, page] of pagesOf(this.doc).entries()) {
      if (page !== segment) continue
      const live = [...page.values()].reduce((sum, card) => sum + itemCount(card), 0)
      if (tombstones <= 2 * live) return false
      const fresh: PageMap = new Y.Map()
      for (const card of readPage(page, this.channel_id)) insertCard(fresh, card)
      pagesOf(this.doc).set(number, fresh)
      return true
    }
    return false
  }

  #renewTouched(segment: Segment): boolean {
    const touched = touchedOf(this.doc)
    if (!touched || touched !== segment) return false
    channelOf(this.doc).set('touched', new Y.Map([...touched.entries()]))
    return true
  }

  #countTombstones(): void {
    this.#worn.clear()
    for (const struct of this.doc.store.clients.get(this.doc.clientID) ?? []) {
      if (!(struct instanceof Y.Item) || !struct.deleted) continue
      const segment = segmentOf(struct.parent)
      if (segment) this.#wear(segment, 1)
    }
  }
}

/** The outermost type below a root that holds `parent`. */
function segmentOf(parent: Y.Item['parent']): Segment | null {
  let type = parent
  while (type instanceof Y.AbstractType && type._item) {
    const above: Y.Item['parent'] = type._item.parent
    if (above instanceof Y.AbstractType && above._item === null) return type instanceof Y.Map ? type : null
    type = above
  }
  return null
}

/** A document's first content under a new epoch. `cards`: those of the live pages, any order. */
export function firstUpdate(
  channel_id: string,
  client_id: number,
  head: ChannelHead,
  newest_page: number,
  cards: PlacedCard[],
): { update: Uint8Array; clock: number } {
  const document = new LiveDocument(channel_id, client_id, [])
  const oldest = oldestLivePage(newest_page)
  const update = document.transact(() => {
    document.head(head)
    channelOf(document.doc).set('oldest_page', oldest)
    channelOf(document.doc).set('touched', new Y.Map())
    for (let number = oldest; number <= newest_page; number++) {
      const page: PageMap = new Y.Map()
      pagesOf(document.doc).set(String(number), page)
      for (const card of cards) if (pageOf(card.position) === number) insertCard(page, card)
    }
  })
  if (!update) throw new Error('a first update is never empty')
  return { update, clock: document.clock }
}
