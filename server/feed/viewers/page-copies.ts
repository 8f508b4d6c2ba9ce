// A channel's pages of cards as JSON, made once per version and shared by all who read that version.
import type { CardPage } from '../../../shared/channel-view.ts'

export type PageCopy = { etag: string; json: Buffer<ArrayBuffer> }

type Made = { etag: string; page: CardPage }

/** Beyond this, the copies are forgotten. Responses keep those that they are sending. */
const BYTES_MAX = 32 * 1024 * 1024

type Kept = { etag: string; copy: Promise<PageCopy>; bytes: number }

export class PageCopies {
  readonly #kept = new Map<number, Kept>()
  #last: Promise<unknown> = Promise.resolve()

  get bytes(): number {
    return [...this.#kept.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** `etag`: of the version that is wanted. `read` is called if there is no copy of it, and may return a newer version. */
  get(page: number, etag: string, read: () => Promise<Made>): Promise<PageCopy> {
    const known = this.#kept.get(page)
    if (known?.etag === etag) return known.copy
    // One after another: a page may have megabytes.
    const copy = this.#last.then(read).then(made => {
      const json = Buffer.from(JSON.stringify(made.page))
      Object.assign(kept, { etag: made.etag, bytes: json.length })
      if (this.bytes > BYTES_MAX) this.clear()
      return { etag: made.etag, json }
    })
    const kept: Kept = { etag, copy, bytes: 0 }
    this.#kept.set(page, kept)
    this.#last = copy.catch(() => {
      if (this.#kept.get(page) === kept) this.#kept.delete(page)
    })
    return copy
  }

  clear(): void {
    this.#kept.clear()
  }
}
