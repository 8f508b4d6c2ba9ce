// The last committed updates of a document, for viewers who lack only these.

const COUNT_MAX = 128
const BYTES_MAX = 256 * 1024

export const lengthOf = (updates: Uint8Array[]) => updates.reduce((sum, { length }) => sum + length, 0)

export class RecentUpdates {
  #updates: { before: number; update: Uint8Array }[] = []
  #pushed_at = 0
  bytes = 0

  /** `before`: the document's clock before the update. */
  push(before: number, update: Uint8Array): void {
    this.#updates.push({ before, update })
    this.bytes += update.length
    this.#pushed_at = performance.now()
    while (this.#updates.length > COUNT_MAX || this.bytes > BYTES_MAX)
      // Drops half at once: removing one update would move the whole list on every push.
      for (const dropped of this.#updates.splice(0, Math.ceil(this.#updates.length / 2)))
        this.bytes -= dropped.update.length
  }

  /** The updates since `clock`, oldest first; null if they don't reach back to it. */
  since(clock: number): Uint8Array[] | null {
    const from = this.#updates.findIndex(({ before }) => before === clock)
    if (from < 0) return null
    return this.#updates.slice(from).map(({ update }) => update)
  }

  /** Frees the memory if no update came since `since` (monotonic). */
  clearIfIdle(since: number): void {
    if (this.#pushed_at < since) this.clear()
  }

  clear(): void {
    this.#updates = []
    this.bytes = 0
  }
}
