// The last committed updates of a document, for viewers who lack only these.

const COUNT_MAX = 128
const BYTES_MAX = 256 * 1024

type Recent = { before: number; after: number; update: Uint8Array }

export class RecentUpdates {
  #updates: Recent[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  /** `before` and `after`: the document's clock. */
  push(before: number, after: number, update: Uint8Array): void {
    this.#updates.push({ before, after, update })
    this.#bytes += update.length
    while (this.#updates.length > COUNT_MAX || this.#bytes > BYTES_MAX) {
      // Drops half of the list at once: removing one update would move the whole list on every push.
      for (const { update: dropped } of this.#updates.splice(0, Math.ceil(this.#updates.length / 2))) {
        this.#bytes -= dropped.length
      }
    }
  }

  /** The updates since `clock`, oldest first; null if they do not reach back to it. */
  since(clock: number): Uint8Array[] | null {
    const from = this.#updates.findIndex(({ before }) => before === clock)
    if (from < 0) return null
    return this.#updates.slice(from).map(({ update }) => update)
  }

  clear(): void {
    this.#updates = []
    this.#bytes = 0
  }
}
