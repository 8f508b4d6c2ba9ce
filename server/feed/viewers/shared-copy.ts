// Bytes that many responses share: one copy in memory, and one compressed copy.
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)
/** Higher levels take much longer, and save little. */
const LEVEL = 4

export class SharedCopy {
  readonly plain: Buffer<ArrayBuffer>
  #gzipped: Promise<Buffer<ArrayBuffer>> | null = null
  #gzipped_bytes = 0

  constructor(plain: Buffer<ArrayBuffer>) {
    this.plain = plain
  }

  get bytes(): number {
    return this.plain.length + this.#gzipped_bytes
  }

  gzipped(): Promise<Buffer<ArrayBuffer>> {
    this.#gzipped ??= this.#compress().catch(error => {
      this.#gzipped = null
      throw error
    })
    return this.#gzipped
  }

  async #compress(): Promise<Buffer<ArrayBuffer>> {
    const gzipped = await compress(this.plain, { level: LEVEL })
    this.#gzipped_bytes = gzipped.length
    return gzipped
  }
}
