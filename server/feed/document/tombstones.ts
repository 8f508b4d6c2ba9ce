// Keeps a document small. Yjs keeps a tombstone for everything that was overwritten or deleted, but only one range for a
// deleted nested map. So a part with many tombstones is replaced by a copy of itself.
import * as Y from 'yjs'
import {
  channelOf,
  insertCard,
  itemCount,
  type PageMap,
  pagesOf,
  readPage,
  touchedOf,
} from '../../../shared/channel-doc.ts'

type Part = Y.Map<unknown> | PageMap | Y.Map<number>

/** A page is replaced when it has more tombstones than this, and more than twice its live items. */
const TOMBSTONES_MIN = 512
/** After this many items that came from elsewhere, tombstones are counted again. */
const UNCOUNTED_MAX = 2 * TOMBSTONES_MIN

export class Tombstones {
  readonly #doc: Y.Doc
  readonly #channel_id: string
  readonly #counts = new Map<Part, number>()
  #uncounted = UNCOUNTED_MAX

  constructor(doc: Y.Doc, channel_id: string) {
    this.#doc = doc
    this.#channel_id = channel_id
  }

  add(part: Part, tombstones: number): void {
    this.#counts.set(part, (this.#counts.get(part) ?? 0) + tombstones)
  }

  forget(part: Part): void {
    this.#counts.delete(part)
  }

  /** Call this when so many `items` of other writers were applied. */
  applied(items: number): void {
    this.#uncounted += items
    if (this.#uncounted < UNCOUNTED_MAX) return
    this.#uncounted = 0
    this.#counts.clear()
    for (const struct of this.#doc.store.clients.get(this.#doc.clientID) ?? []) {
      if (!(struct instanceof Y.Item) || !struct.deleted) continue
      const part = partOf(struct.parent)
      if (part) this.add(part, 1)
    }
  }

  /** Replaces the parts that have too many tombstones. Runs inside a transaction. */
  replaceParts(): void {
    for (const [part, tombstones] of this.#counts) {
      if (tombstones <= TOMBSTONES_MIN) continue
      if (this.#replacePage(part, tombstones) || this.#replaceTouched(part) || part._item?.deleted)
        this.#counts.delete(part)
    }
  }

  /** Raises the document's clock without a visible change. Runs inside a transaction. */
  markRevision(clock: number): void {
    const root = this.#doc.getMap('log')
    const revision = root.get('revision')
    if (revision instanceof Y.Map && (this.#counts.get(revision) ?? 0) < TOMBSTONES_MIN) {
      revision.set('rev', clock)
      this.add(revision, 1)
    } else {
      if (revision instanceof Y.Map) this.#counts.delete(revision)
      root.set('revision', new Y.Map([['rev', clock]]))
    }
  }

  #replacePage(part: Part, tombstones: number): boolean {
    for (const [number, page] of pagesOf(this.#doc).entries()) {
      if (page !== part) continue
      const live = [...page.values()].reduce((sum, card) => sum + itemCount(card), 0)
      if (tombstones <= 2 * live) return false
      const copy: PageMap = new Y.Map()
      for (const card of readPage(page, this.#channel_id)) insertCard(copy, card)
      pagesOf(this.#doc).set(number, copy)
      return true
    }
    return false
  }

  #replaceTouched(part: Part): boolean {
    const touched = touchedOf(this.#doc)
    if (!touched || touched !== part) return false
    channelOf(this.#doc).set('touched', new Y.Map([...touched.entries()]))
    return true
  }
}

/** The outermost type that contains `parent`, below a root. */
function partOf(parent: Y.Item['parent']): Part | null {
  let type = parent
  while (type instanceof Y.AbstractType && type._item) {
    const above: Y.Item['parent'] = type._item.parent
    if (above instanceof Y.AbstractType && above._item === null) return type instanceof Y.Map ? type : null
    type = above
  }
  return null
}
