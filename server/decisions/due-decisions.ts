// Decisions that have to be read, by channel. Channels have equal shares, so that a busy one doesn't delay the others.

export class DueDecisions {
  readonly #ids = new Map<string, Set<string>>()

  get isEmpty(): boolean {
    return this.#ids.size === 0
  }

  add(channel_id: string, ids: Iterable<string>): void {
    const due = this.#ids.get(channel_id) ?? new Set()
    for (const id of ids) due.add(id)
    this.#ids.set(channel_id, due)
  }

  /** About `max` decisions, with their channels. What remains of a channel goes to the end. */
  take(max: number): [id: string, channel_id: string][] {
    const taken: [string, string][] = []
    const share = Math.ceil(max / Math.max(1, this.#ids.size))
    for (const [channel_id, due] of [...this.#ids]) {
      if (taken.length >= max) break
      let left = share
      for (const id of due) {
        if (left-- === 0) break
        due.delete(id)
        taken.push([id, channel_id])
      }
      this.#ids.delete(channel_id)
      if (due.size > 0) this.#ids.set(channel_id, due)
    }
    return taken
  }
}
