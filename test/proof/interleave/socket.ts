// The server's end of a viewer's socket. `Viewer` writes encoded frames to the stream below it; here both are one object.
import { EventEmitter } from 'node:events'

export type Received = { payload: Uint8Array } | { closed: number }

/** More than a viewer's buffer may hold. */
const FULL_BYTES = 1024 * 1024

export class ServerSocket extends EventEmitter {
  readonly OPEN = 1
  readyState = 1
  binaryType = ''
  /** It takes frames, and says that it can't pass them on. */
  full = false
  wrote_while_full = false
  readonly #receive: (received: Received) => void
  #bytes = Buffer.alloc(0)

  constructor(receive: (received: Received) => void) {
    super()
    this.#receive = receive
  }

  get writableLength(): number {
    return this.full ? FULL_BYTES : 0
  }

  write(bytes: Uint8Array): boolean {
    this.wrote_while_full ||= this.full
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    for (let frame = this.#firstFrame(); frame; frame = this.#firstFrame()) {
      this.#bytes = this.#bytes.subarray(frame.end)
      this.#receive({ payload: frame.payload })
    }
    return true
  }

  cork(): void {}
  uncork(): void {}
  ping(): void {}

  close(code: number): void {
    if (this.readyState !== this.OPEN) return
    this.readyState = 2
    this.#receive({ closed: code })
  }

  terminate(): void {
    this.close(1006)
  }

  /** Null until it is complete. The server's frames are final and not masked. */
  #firstFrame(): { payload: Buffer; end: number } | null {
    const bytes = this.#bytes
    if (bytes.length < 2) return null
    const short = bytes.readUInt8(1)
    const start = short < 126 ? 2 : short === 126 ? 4 : 10
    if (bytes.length < start) return null
    const length =
      short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2))
    const end = start + length
    return bytes.length < end ? null : { payload: bytes.subarray(start, end), end }
  }
}
