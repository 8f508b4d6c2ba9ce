// Sends a channel's committed updates to its viewers: the first at once, and those of the next 16 ms in one frame. A frame
// is encoded once and written to every socket.
import { KEEP_ALIVE_FRAME, merge, updateFrame } from './frames.ts'
import type { Viewer } from './viewer.ts'

const WINDOW_MS = 16
/** A window lasts at least this many times as long as sending took: a busy server sends fewer, larger frames. */
const ROUND_SHARE = 2
/** Stock clients leave a server that is silent for 30 s, and WebSocket pings don't count. So an empty update is sent. */
const KEEP_ALIVE_MS = 20_000

type FanOutState = { kind: 'idle' } | { kind: 'sending' } | { kind: 'window'; timer: NodeJS.Timeout }

export class FanOut {
  readonly viewers = new Set<Viewer>()
  #state: FanOutState = { kind: 'idle' }
  #pending: Uint8Array[] = []
  #clock = 0
  #sent_at = performance.now()

  publish(update: Uint8Array, clock: number): void {
    this.#clock = clock
    if (this.viewers.size === 0) return
    this.#pending.push(update)
    if (this.#state.kind !== 'idle') return
    this.#state = { kind: 'sending' }
    // The responses to the writers are sent first, in this turn of the event loop.
    setImmediate(() => this.#send())
  }

  dropPending(): void {
    this.#pending = []
  }

  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#sent_at < KEEP_ALIVE_MS) return
    this.#sent_at = now
    for (const viewer of this.viewers) viewer.keepAlive(KEEP_ALIVE_FRAME)
  }

  stop(): void {
    if (this.#state.kind === 'window') clearTimeout(this.#state.timer)
    this.#state = { kind: 'idle' }
    this.#pending = []
  }

  #send(): void {
    if (this.#pending.length === 0) {
      this.#state = { kind: 'idle' }
      return
    }
    const began = performance.now()
    const frame = updateFrame(merge(this.#pending))
    this.#pending = []
    for (const viewer of this.viewers) viewer.send(frame, this.#clock)
    this.#sent_at = performance.now()
    const took = performance.now() - began
    const wait = Math.max(WINDOW_MS, ROUND_SHARE * took) - took
    this.#state = { kind: 'window', timer: setTimeout(() => this.#send(), wait) }
  }
}
