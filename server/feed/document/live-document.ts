// A channel's document in memory: always as encoded updates, and as a Yjs document while that is needed. Only the server
// changes it, with one client id. It is ahead of the log during a turn, so its state is read between turns only.
import * as Y from 'yjs'
import type { Block } from '../../../shared/block.ts'
import type { BlockChange } from '../../../shared/blocks/definition.ts'
import type { PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead } from '../../../shared/channel.ts'
import {
  type CardMap,
  channelOf,
  findCard,
  firstCardsOf,
  headerReceiptsOf,
  insertCard,
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
  writeCardReceipts,
  writeHead,
  writeHeaderReceipts,
} from '../../../shared/channel-doc.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import type { CardReceipts, HeaderReceipts } from '../../../shared/receipt.ts'
import { EncodedDocument } from './encoded-document.ts'
import { Tombstones } from './tombstones.ts'

/**
 * Measured with 320 cards on Node 20: a document takes its strings once or, beyond Latin-1, twice their encoded length,
 * and 220 to 900 bytes per item. So the estimate is 0.6 to 2.2 times the truth, and 2.9 times for Chinese texts.
 */
const MEMORY_PER_ENCODED_BYTE = 2
const MEMORY_PER_ITEM = 500

export class LiveDocument {
  readonly channel_id: string
  readonly #client_id: number
  #encoded: EncodedDocument
  /** Made by `#open`. */
  #yjs: { doc: Y.Doc; tombstones: Tombstones } | null = null
  #yjs_used = 0

  /** `updates`: the snapshot and the log after it, oldest first. */
  constructor(channel_id: string, client_id: number, updates: Uint8Array[]) {
    this.channel_id = channel_id
    this.#client_id = client_id
    this.#encoded = new EncodedDocument(client_id, updates)
  }

  /** Up to date between turns. A turn that only inserts cards appends them here. */
  get encoded(): EncodedDocument {
    return this.#encoded
  }

  get clock(): number {
    // During a turn, `#yjs` is ahead. After an append, it is behind.
    return Math.max(this.#encoded.clock, this.#yjsClock)
  }

  /** About how many bytes of memory the document takes. */
  get memory(): number {
    const items = this.#yjs?.doc.store.clients.get(this.#client_id)?.length ?? 0
    const doc = this.#yjs ? this.#encoded.bytes * MEMORY_PER_ENCODED_BYTE + items * MEMORY_PER_ITEM : 0
    return this.#encoded.bytes + doc
  }

  /** Made when it is first needed: to read cards, and for all turns that do more than insert cards. */
  get doc(): Y.Doc {
    return this.#open().doc
  }

  /** Frees the memory of `doc` if it wasn't needed since `since` (monotonic). */
  dropDoc(since: number): void {
    if (this.#yjs && this.#yjs_used < since) this.destroy()
  }

  /** See `EncodedDocument.oldestThatFits`. Call this between turns. */
  oldestThatFits(): number | null {
    const oldest = this.#encoded.oldestThatFits()
    if (oldest === null || !this.#encoded.stale || this.#encoded.bytes > 2 * LIVE_MAX_BYTES) return oldest
    // Perhaps it is so large only by what was overwritten. Encoding again soon wouldn't pay, so half of the limit counts.
    this.encode()
    return this.#encoded.oldestThatFits(LIVE_MAX_BYTES / 2)
  }

  /** Also keeps the document as these bytes from now on, so that it shares them with those who need them. */
  encode(): Uint8Array<ArrayBuffer> {
    const state = this.#encoded.stale
      ? new Uint8Array(Y.encodeStateAsUpdate(this.doc))
      : this.#encoded.encode()
    this.#encoded = new EncodedDocument(this.#client_id, [state])
    return state
  }

  /** Returns the update, or null if nothing changed. It always raises the clock, so a state vector identifies a turn. */
  transact(work: () => void): Uint8Array | null {
    const { doc, tombstones } = this.#open()
    let update: Uint8Array | null = null
    const capture = (bytes: Uint8Array) => {
      update = bytes
    }
    doc.on('update', capture)
    try {
      doc.transact(transaction => {
        const before = this.#yjsClock
        work()
        tombstones.replaceParts()
        // A transaction that only deletes doesn't raise the Yjs clock, so such a turn writes `log.revision`.
        if (this.#yjsClock === before && transaction.deleteSet.clients.size > 0) this.mark()
      })
    } finally {
      doc.off('update', capture)
    }
    if (update) this.#encoded.addUpdate(update)
    return update
  }

  find(id: string): PlacedCard | null {
    const map = findCard(this.doc, id)
    return map ? readCard(map, this.channel_id) : null
  }

  isArchived(page: number): boolean {
    return page < oldestPageOf(this.doc)
  }

  page(page: number): PlacedCard[] | null {
    if (this.isArchived(page)) return null
    const map = pagesOf(this.doc).get(String(page))
    return map ? readPage(map, this.channel_id) : []
  }

  firstCards(): FirstCards | undefined {
    return firstCardsOf(this.doc, this.channel_id)
  }

  /** Returns the cards that are archived because a sixth page began. */
  insert(card: PlacedCard): PlacedCard[] {
    const pages = pagesOf(this.doc)
    const number = pageOf(card.position)
    let page = pages.get(String(number))
    let archived: PlacedCard[] = []
    if (!page) {
      archived = this.archiveBefore(oldestLivePage(number))
      page = new Y.Map()
      pages.set(String(number), page)
    }
    insertCard(page, card)
    return archived
  }

  /** Returns the cards of the pages before `oldest`, which leave the document. */
  archiveBefore(oldest: number): PlacedCard[] {
    if (oldest <= oldestPageOf(this.doc)) return []
    const pages = pagesOf(this.doc)
    const archived: PlacedCard[] = []
    for (const [number, page] of [...pages.entries()]) {
      if (Number(number) >= oldest) continue
      archived.push(...readPage(page, this.channel_id))
      pages.delete(number)
      this.#open().tombstones.forget(page)
    }
    channelOf(this.doc).set('oldest_page', oldest)
    return archived
  }

  patch(card: PlacedCard, changes: BlockChange<Block>[]): void {
    const [page, map] = this.#mapsOf(card)
    this.#open().tombstones.add(page, patchCardMap(map, card, changes))
  }

  replace(card: PlacedCard): void {
    const [page, map] = this.#mapsOf(card)
    this.#open().tombstones.add(page, replaceCardMap(map, card))
  }

  delete(card: PlacedCard): void {
    const [page] = this.#mapsOf(card)
    page.delete(card.id)
    this.#open().tombstones.add(page, 1)
  }

  head(): ChannelHead {
    const head = readHead(this.doc)
    if (!head) throw new Error(`the document of channel ${this.channel_id} has no head`)
    return head
  }

  setReceipts(card: PlacedCard, receipts: CardReceipts): void {
    const [page, map] = this.#mapsOf(card)
    this.#open().tombstones.add(page, writeCardReceipts(map, card.blocks, receipts))
  }

  headerReceipts(): HeaderReceipts {
    return headerReceiptsOf(this.doc)
  }

  setHeaderReceipts(receipts: HeaderReceipts): void {
    writeHeaderReceipts(this.doc, receipts)
  }

  /** The live cards that have receipts. */
  cardsWithReceipts(): PlacedCard[] {
    const cards = [...pagesOf(this.doc).values()].flatMap(page => readPage(page, this.channel_id))
    return cards.filter(({ acts }) => acts !== undefined)
  }

  changeHead(change: (head: ChannelHead) => Partial<ChannelHead>): void {
    writeHead(this.doc, change(this.head()))
  }

  /** Lists the archived pages that changed. If `recent` is complete for the last hour, older pages are removed. */
  touch(recent: Map<number, number>, complete: boolean): void {
    const touched = touchedOf(this.doc)
    const stale = complete && touched && [...touched.keys()].some(page => !recent.has(Number(page)))
    if (!touched || stale) {
      const entries = [...recent].map(([page, version]): [string, number] => [String(page), version])
      return void channelOf(this.doc).set('touched', new Y.Map(entries))
    }
    for (const [page, version] of recent) {
      if (touched.get(String(page)) === version) continue
      touched.set(String(page), version)
      this.#open().tombstones.add(touched, 1)
    }
  }

  /** For a turn that must be in the log, even if it changes nothing. */
  mark(): void {
    this.#open().tombstones.markRevision(this.#yjsClock)
  }

  apply(updates: Uint8Array[]): void {
    for (const update of updates) this.#encoded.addUpdate(update)
  }

  destroy(): void {
    this.#yjs?.doc.destroy()
    this.#yjs = null
  }

  get #yjsClock(): number {
    return this.#yjs ? Y.getState(this.#yjs.doc.store, this.#client_id) : 0
  }

  /** Brings the Yjs document up to date, but not during a turn, when it is ahead. */
  #open(): { doc: Y.Doc; tombstones: Tombstones } {
    this.#yjs_used = performance.now()
    if (!this.#yjs) {
      const doc = new Y.Doc()
      doc.clientID = this.#client_id
      this.#yjs = { doc, tombstones: new Tombstones(doc, this.channel_id) }
    }
    const { doc, tombstones } = this.#yjs
    const before = this.#yjsClock
    if (before < this.#encoded.clock) {
      // Yjs takes another client id when it meets its own in an update, so the document takes its id after loading.
      doc.clientID = 0
      Y.applyUpdate(doc, this.#encoded.encode(before))
      doc.clientID = this.#client_id
      tombstones.applied(this.#encoded.clock - before)
    }
    return this.#yjs
  }

  #mapsOf(card: PlacedCard): [PageMap, CardMap] {
    const page = pagesOf(this.doc).get(String(pageOf(card.position)))
    const map = page?.get(card.id)
    if (!page || !map) throw new Error(`card ${card.id} is not in the live document`)
    return [page, map]
  }
}
