// A list that the service returns page by page.

/** The items of all pages, each fetched when the loop comes to it: `for await (const card of feed.cards())`. */
export class Pages<T, P extends { next_cursor: string | null }> implements AsyncIterable<T> {
  readonly #fetch: (cursor: string | undefined) => Promise<P>
  readonly #itemsOf: (page: P) => T[]

  constructor(fetch: (cursor: string | undefined) => Promise<P>, itemsOf: (page: P) => T[]) {
    this.#fetch = fetch
    this.#itemsOf = itemsOf
  }

  /** One page: the first, or the one at the `next_cursor` of the page before. */
  page(cursor?: string): Promise<P> {
    return this.#fetch(cursor)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    let cursor: string | undefined
    do {
      const page = await this.page(cursor)
      yield* this.#itemsOf(page)
      cursor = page.next_cursor ?? undefined
    } while (cursor !== undefined)
  }
}
