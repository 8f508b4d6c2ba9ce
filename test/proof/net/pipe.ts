// One direction of a proxied connection.
import type { Socket } from 'node:net'

export type Mode =
  | { kind: 'pass' }
  /** Each chunk arrives `ms` to `ms + jitter_ms` later, in order. */
  | { kind: 'latency'; ms: number; jitter_ms?: number }
  /** Reads nothing: the sender sees an open connection that takes no more bytes. */
  | { kind: 'stall' }
  /** Reads and discards. */
  | { kind: 'drop' }

export type PipeCounts = { dropped_bytes: number; held_bytes: number }

export class Pipe {
  /** The other side misses something, so the connection can't go on. */
  lossy = false
  /** Returns what goes on. */
  onPass = (chunk: Buffer) => chunk
  onDrop = () => {}
  readonly #from: Socket
  readonly #to: Socket
  readonly #counts: PipeCounts
  #mode: Mode
  /** Delayed chunks go out in order. */
  #delayed: { chunk: Buffer; at: number }[] = []
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(from: Socket, to: Socket, mode: Mode, counts: PipeCounts) {
    this.#from = from
    this.#to = to
    this.#mode = mode
    this.#counts = counts
    from.on('error', () => {})
    from.on('data', chunk => this.#receive(chunk))
    from.once('end', () => {
      this.#ended = true
      this.#finish()
    })
    from.once('close', () => this.#closed())
    to.on('drain', () => this.#resume())
    if (mode.kind === 'stall') from.pause()
  }

  set(mode: Mode): void {
    this.#mode = mode
    if (mode.kind === 'stall') this.#from.pause()
    else this.#resume()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#delayed = []
    this.#to.destroy()
  }

  #receive(chunk: Buffer): void {
    if (this.#mode.kind === 'drop') {
      this.#counts.dropped_bytes += chunk.length
      this.lossy = true
      this.onDrop()
    } else if (this.#mode.kind === 'stall') {
      // Read before the pause took effect.
      this.#from.unshift(chunk)
      this.#counts.held_bytes += chunk.length
    } else if (this.#mode.kind === 'latency' || this.#delayed.length > 0) {
      const { ms, jitter_ms = 0 } = this.#mode.kind === 'latency' ? this.#mode : { ms: 0 }
      this.#counts.held_bytes += chunk.length
      const at = Math.max(performance.now() + ms + Math.random() * jitter_ms, this.#delayed.at(-1)?.at ?? 0)
      this.#delayed.push({ chunk, at })
      this.#sendDue()
    } else {
      this.#write(chunk)
    }
  }

  #sendDue(): void {
    clearTimeout(this.#timer)
    for (let first = this.#delayed[0]; first; first = this.#delayed[0]) {
      const wait = first.at - performance.now()
      if (wait > 0) {
        this.#timer = setTimeout(() => this.#sendDue(), wait)
        return
      }
      this.#delayed.shift()
      this.#write(first.chunk)
    }
    this.#finish()
  }

  #write(chunk: Buffer): void {
    const rest = this.onPass(chunk)
    if (!this.#to.destroyed && !this.#to.write(rest)) this.#from.pause()
  }

  #resume(): void {
    if (this.#mode.kind !== 'stall' && !this.#to.writableNeedDrain) this.#from.resume()
  }

  /** Passes the end of the stream on, unless it would be lost. */
  #finish(): void {
    if (!this.#ended || this.#delayed.length > 0) return
    if (this.#mode.kind === 'drop') this.lossy = true
    else this.#to.end()
  }

  #closed(): void {
    if (this.#mode.kind === 'pass' || this.#mode.kind === 'latency') {
      // Delayed bytes still arrive after a proper end.
      if (this.#ended) this.#finish()
      else this.end()
    } else {
      this.lossy = true
    }
  }
}
