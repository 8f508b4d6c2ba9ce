// Reads of the database whose results several event streams use at once: each is made once, and in memory once.

export class SharedReads<T> {
  readonly #open = new Map<string, { value: Promise<T>; uses: number }>()

  /** Calls `work` with the value that is in use under this key, or with what `read` returns. `fresh`: the read began with this call. */
  async use<R>(
    key: string,
    read: () => Promise<T>,
    work: (value: T, fresh: boolean) => Promise<R>,
  ): Promise<R> {
    const open = this.#open.get(key)
    const shared = open ?? { value: read(), uses: 0 }
    if (!open) this.#open.set(key, shared)
    shared.uses++
    try {
      return await work(await shared.value, open === undefined)
    } finally {
      if (--shared.uses === 0) this.#open.delete(key)
    }
  }
}
