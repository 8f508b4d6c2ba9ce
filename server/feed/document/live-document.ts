// A channel's document in memory. Only the server changes it, with one client id. It is ahead of the log during a turn, so
// its state is read between turns only.
import type { Block } from '../../../shared/block.ts'
import type { BlockChange } from '../../../shared/blocks/definition.ts'
import type { PlacedCard } from '../../../shared/card.ts'
import type { ChannelHead } from '../../../shared/channel.ts'
import {
  firstCardsOf,
  headerReceiptsOf,
  pageOf,
  readCard,
  readHead,
  readPage,
} from '../../../shared/channel-doc.ts'
import type { FirstCards } from '../../../shared/first-cards.ts'
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import type { CardReceipts, HeaderReceipts } from '../../../shared/receipt.ts'
import { insertCard, writeCardReceipts, writePatch, writeReplacement } from './card-map.ts'
import type { EncodedMap } from './contents.ts'
import { EncodedDocument } from './encoded-document.ts'

/**
 * Yjs keeps a tombstone for everything that was overwritten or deleted, but only one for a deleted map with all that is in
 * it. So a map is replaced by a copy of itself when it has more tombstones than this; a page only if these are more than
 * twice its live items.
 */
const TOMBSTONES_MAX = 512

export class LiveDocument {
  readonly channel_id: string
  readonly #client_id: number
  #encoded: EncodedDocument

  /** `updates`: the snapshot and the log after it, oldest first. */
  constructor(channel_id: string, client_id: number, updates: Uint8Array[]) {
    this.channel_id = channel_id
    this.#client_id = client_id
    this.#encoded = new EncodedDocument(client_id, updates)
  }

  get clock(): number {
    return this.#encoded.clock
  }

  /** The length of `encode()`, about. */
  get bytes(): number {
    return this.#encoded.bytes
  }

  /** About how many bytes of memory the document takes. */
  get memory(): number {
    return this.#encoded.memory
  }

  get oldest_page(): number {
    return this.#encoded.oldest_page
  }

  /** Frees what was read from the bytes and not used since `since` (monotonic). */
  freeUnused(since: number): void {
    this.#encoded.freeUnused(since)
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
    const state = this.#encoded.encode()
    this.#encoded = new EncodedDocument(this.#client_id, [state])
    return state
  }

  apply(updates: Uint8Array[]): void {
    for (const update of updates) this.#encoded.addUpdate(update)
  }

  /** Returns the update, or null if nothing changed. It always raises the clock, so a state vector identifies a turn. */
  transact(work: () => void): Uint8Array | null {
    return this.#encoded.transact(() => {
      work()
      this.#replaceCrowded()
      if (this.#encoded.onlyDeletes) this.mark()
    })
  }

  has(id: string): boolean {
    return this.#encoded.pageWith(id) !== undefined
  }

  find(id: string): PlacedCard | null {
    const page = this.#encoded.pageWith(id)
    const found = page === undefined ? undefined : this.#encoded.card(page, id)
    return found ? readCard(found.card, this.channel_id) : null
  }

  isArchived(page: number): boolean {
    return page < this.oldest_page
  }

  /** Its cards, oldest first; null for an archived page. */
  page(page: number): PlacedCard[] | null {
    if (this.isArchived(page)) return null
    const map = this.#encoded.page(page)
    return map ? readPage(map, this.channel_id) : []
  }

  firstCards(): FirstCards | undefined {
    return firstCardsOf(this.#channel, this.#newestPages(), this.channel_id)
  }

  /** A sixth page archives the oldest one. */
  insert(card: PlacedCard): void {
    this.#encoded.writeToPage(pageOf(card.position), (writer, page) => insertCard(writer, page, card))
  }

  archiveBefore(oldest: number): void {
    this.#encoded.archiveBefore(oldest)
  }

  patch(card: PlacedCard, changes: BlockChange<Block>[]): void {
    writePatch(this.#at(card).card, card, changes)
  }

  replace(card: PlacedCard): void {
    writeReplacement(this.#at(card).card, card)
  }

  delete(card: PlacedCard): void {
    this.#at(card).page.delete(card.id)
  }

  head(): ChannelHead {
    const head = readHead(this.#channel)
    if (!head) throw new Error(`the document of channel ${this.channel_id} has no head`)
    return head
  }

  changeHead(change: (head: ChannelHead) => Partial<ChannelHead>): void {
    for (const [key, value] of Object.entries(change(this.head())))
      if (JSON.stringify(this.#channel.get(key)) !== JSON.stringify(value)) this.#channel.set(key, value)
  }

  setReceipts(card: PlacedCard, receipts: CardReceipts): void {
    writeCardReceipts(this.#at(card).card, card.blocks, receipts)
  }

  headerReceipts(): HeaderReceipts {
    return headerReceiptsOf(this.#channel)
  }

  setHeaderReceipts(receipts: HeaderReceipts): void {
    if (Object.keys(receipts).length > 0) this.#channel.set('acts', receipts)
    else this.#channel.delete('acts')
  }

  /** The live cards that have receipts. */
  cardsWithReceipts(): PlacedCard[] {
    const cards = this.#encoded.pages.flatMap(page => this.page(page) ?? [])
    return cards.filter(({ acts }) => acts !== undefined)
  }

  /** Lists the archived pages that changed. If `recent` is complete for the last hour, older pages are removed. */
  touch(recent: Map<number, number>, complete: boolean): void {
    const touched = this.#channel.getMap('touched')
    const stale = complete && touched && [...touched.keys()].some(page => !recent.has(Number(page)))
    const known = touched && !stale ? [...touched.keys()].map(page => [page, touched.get(page)] as const) : []
    const isKept = touched && !stale && touched.tombstones < TOMBSTONES_MAX
    const list = isKept ? touched : this.#channel.setMap('touched')
    const entries = [...recent].map(([page, version]) => [String(page), version] as const)
    for (const [page, version] of isKept ? entries : [...known, ...entries])
      if (list.get(page) !== version) list.set(page, version)
  }

  /** For a turn that must be in the log, even if it changes nothing. */
  mark(): void {
    const log = this.#encoded.root('log')
    const known = log.getMap('revision')
    const revision = known && known.tombstones < TOMBSTONES_MAX ? known : log.setMap('revision')
    revision.set('rev', this.clock)
  }

  /** Fills a new document. `cards`: those of the pages, in any order. */
  begin(
    head: ChannelHead,
    receipts: HeaderReceipts,
    pages: { oldest: number; newest: number },
    cards: PlacedCard[],
  ): void {
    for (const [key, value] of Object.entries(head)) this.#channel.set(key, value)
    this.setHeaderReceipts(receipts)
    this.#encoded.setOldestPage(pages.oldest)
    this.#channel.setMap('touched')
    for (let page = pages.oldest; page <= pages.newest; page++) this.#encoded.beginPage(page)
    for (const card of cards) this.insert(card)
  }

  *#newestPages(): Generator<[number, EncodedMap]> {
    for (const page of this.#encoded.pages) {
      const map = this.#encoded.page(page)
      if (map) yield [page, map]
    }
  }

  get #channel(): EncodedMap {
    return this.#encoded.root('channel')
  }

  #at({ id, position }: PlacedCard): { page: EncodedMap; card: EncodedMap } {
    const found = this.#encoded.card(pageOf(position), id)
    if (!found) throw new Error(`card ${id} is not in the live document`)
    return found
  }

  #replaceCrowded(): void {
    for (const page of this.#encoded.crowdedPages(TOMBSTONES_MAX)) {
      const cards = this.page(page) ?? []
      this.#encoded.beginPage(page)
      for (const card of cards) this.insert(card)
    }
  }
}
