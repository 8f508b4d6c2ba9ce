// The pages of a document that are live: where their maps are, and how much of them was overwritten.
import { LIVE_MAX_BYTES } from '../../../shared/limits.ts'
import type { ClockRange } from './clock-ranges.ts'
import { NONE, readKey, readValues, type Struct } from './update-reader.ts'
import { CONTENT } from './update-writer.ts'

export class LivePages {
  /** Page → clock of the item that holds its map. */
  readonly maps = new Map<number, number>()
  /** The first live page, and the clock of the item that says so (null: not set yet). */
  oldest: { clock: number | null; value: number } = { clock: null, value: 0 }
  /** Page → items that were deleted or overwritten. Yjs keeps each until the page's map is replaced. */
  readonly #tombstones = new Map<number, number>()

  /** Newest first. */
  get numbers(): number[] {
    return [...this.maps.keys()].filter(page => page >= this.oldest.value).sort((a, b) => b - a)
  }

  /**
   * Returns the page that a struct belongs to, or null. Remembers the items with pages' maps and with `oldest_page`.
   * `pageAt`: the page of an earlier struct.
   */
  track(update: Uint8Array, struct: Struct, pageAt: (clock: number) => number | null): number | null {
    const page = this.#pageOf(update, struct, pageAt)
    if (struct.content === CONTENT.deleted) this.countTombstones(page, 1)
    return page
  }

  #pageOf(update: Uint8Array, struct: Struct, pageAt: (clock: number) => number | null): number | null {
    const { clock, length, root, parent, neighbour, key_at } = struct
    if (parent !== NONE) return pageAt(parent)
    const last = clock + length - 1
    if (neighbour !== NONE) {
      if (neighbour === this.oldest.clock) this.oldest = { clock: last, value: oldestPageIn(update, struct) }
      const page = pageAt(neighbour)
      // A page's map may be replaced by a copy, to remove what was overwritten.
      if (page !== null && this.maps.get(page) === neighbour) this.maps.set(page, last)
      return page
    }
    if (root === null || key_at === NONE) return null
    const key = readKey(update, key_at)
    if (root === 'channel' && key === 'oldest_page')
      this.oldest = { clock: last, value: oldestPageIn(update, struct) }
    if (root !== 'pages') return null
    this.maps.set(Number(key), last)
    return Number(key)
  }

  /** Whether the range is just live pages' maps and `oldest_page`, so that a turn that deletes it archives pages. */
  isArchival({ clock, length }: ClockRange): boolean {
    const clocks = new Set([this.oldest.clock, ...this.maps.values()])
    for (let i = 0; i < length; i++) if (!clocks.has(clock + i)) return false
    return true
  }

  /** Forgets the pages that aren't live any more, and returns them. */
  takeArchived(): Set<number> {
    const archived = new Set([...this.maps.keys()].filter(page => page < this.oldest.value))
    for (const page of archived) {
      this.maps.delete(page)
      this.#tombstones.delete(page)
    }
    return archived
  }

  countTombstones(page: number | null, count: number): void {
    if (page !== null) this.#tombstones.set(page, (this.#tombstones.get(page) ?? 0) + count)
  }

  /** The page has a new map, without tombstones. */
  mapReplaced(page: number): void {
    this.#tombstones.delete(page)
  }

  /** The pages with more tombstones than `max` that are more than two thirds of their structs. */
  crowded(max: number, structs: () => Map<number | null, number>): number[] {
    const pages = [...this.#tombstones].filter(([page, count]) => count > max && this.maps.has(page))
    if (pages.length === 0) return []
    const all = structs()
    return pages.filter(([page, count]) => 3 * count > 2 * (all.get(page) ?? 0)).map(([page]) => page)
  }

  /** The oldest of the newest pages that fit into half of LIVE_MAX_BYTES. The newest counts as fitting. Null: all fit. */
  oldestThatFits(bytes: Map<number | null, number>): number | null {
    const [newest = 0, ...older] = this.numbers
    let left = LIVE_MAX_BYTES / 2 - (bytes.get(newest) ?? 0)
    let oldest = newest
    for (const page of older) {
      left -= bytes.get(page) ?? 0
      if (left < 0) return oldest
      oldest = page
    }
    return null
  }
}

/** 0 for a deleted item: a later one has the value. */
function oldestPageIn(update: Uint8Array, { content, content_at }: Struct): number {
  return content === CONTENT.values ? Number(readValues(update, content_at)[0]) : 0
}
