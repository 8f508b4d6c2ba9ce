// One viewer's socket: what it may send (almost nothing), and how frames reach it without piling up.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { CLOSE_LOST_TIMELINE, CLOSE_POLICY, CLOSE_TRY_AGAIN } from '../../shared/close-codes.ts'

/** Past this many unsent bytes a viewer gets nothing more until its socket drains. */
const BUFFER_MAX_BYTES = 256 * 1024
/** A viewer that does not drain for so long is closed. */
const BEHIND_MAX_MS = 30_000
/** Messages that a viewer may send in a window; a stock client sends one in 15 s. */
const WINDOW_MS = 10_000
const MESSAGES_MAX = 400
const QUESTIONS_MAX = 20
/** Silent for so long: a ping asks whether anyone is there; twice as long: nobody is. */
const SILENT_MS = 45_000
/** Older stock clients return at once after a close: this slows a loop that cannot end well. */
const LOST_DELAY_MS = 500

/** `joining`: has not said what it knows. `behind`: its buffer is full; `clock` is what it got. */
export type ViewerState =
  | { kind: 'joining' }
  | { kind: 'live'; clock: number }
  | { kind: 'behind'; clock: number; since: number }
  | { kind: 'closed' }

/** What the channel, or the workspace's page, does for its viewers. */
export type Audience = {
  /** The viewer sent a message, of bounded size. */
  heard(viewer: Viewer, bytes: Buffer): void
  /** The viewer's socket takes frames again; it has everything up to `clock`. */
  drained(viewer: Viewer, clock: number): void
  left(viewer: Viewer): void
}

export class Viewer {
  state: ViewerState = { kind: 'joining' }
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #audience: Audience
  #window = { since: 0, messages: 0, questions: 0 }
  #heard = performance.now()

  /** `stream` is the TCP stream below `socket`: frames are made once and written to it as they are. */
  constructor(socket: WebSocket, stream: Duplex, audience: Audience) {
    this.#socket = socket
    this.#stream = stream
    this.#audience = audience
    socket.binaryType = 'nodebuffer'
    socket.on('message', (bytes: Buffer) => this.#read(bytes))
    socket.on('pong', () => this.#hear())
    socket.on('error', () => socket.terminate())
    socket.on('close', () => this.#leave())
    stream.on('drain', () => this.#drained())
  }

  /** Sends a frame that brings the viewer to `clock`; a viewer that is behind gets it later, with the rest. */
  send(frame: Buffer, clock: number): void {
    if (this.state.kind !== 'live' || this.closing) return
    this.#stream.write(frame)
    this.#sent(clock)
  }

  /** The answer to what the viewer asked, up to `clock`: from now on it gets every frame. */
  admit(frames: Buffer[], clock: number): void {
    if (this.state.kind === 'closed' || this.closing) return
    this.#stream.cork()
    for (const frame of frames) this.#stream.write(frame)
    this.#stream.uncork()
    this.#sent(clock)
  }

  /** Says something, so that the viewer does not think the server gone. */
  keepAlive(frame: Buffer): void {
    if (this.state.kind === 'closed' || this.state.kind === 'behind') return
    if (!this.closing) this.#stream.write(frame)
  }

  /** Once a second: closes a viewer that does not read, pings one that is silent. `now` is monotonic. */
  check(now: number): void {
    if (this.state.kind === 'behind' && now - this.state.since > BEHIND_MAX_MS) {
      this.close(CLOSE_TRY_AGAIN, 'too slow')
      return
    }
    const silent = now - this.#heard
    if (silent > 2 * SILENT_MS) this.#socket.terminate()
    else if (silent > SILENT_MS) this.#socket.ping()
  }

  lost(): void {
    const timer = setTimeout(() => this.close(CLOSE_LOST_TIMELINE, 'lost timeline'), LOST_DELAY_MS)
    this.#socket.once('close', () => clearTimeout(timer))
  }

  /** Counts a question. False where it is not to be answered now. */
  mayAsk(): boolean {
    if (++this.#window.questions > QUESTIONS_MAX) {
      this.close(CLOSE_POLICY, 'too many messages')
      return false
    }
    // While its socket is full it waits: it is told everything once that has drained.
    return this.state.kind !== 'behind'
  }

  /** True from a close on, which may wait behind frames that the viewer does not take. */
  get closing(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  /** Closes without a word, for who does not answer a close. */
  terminate(): void {
    this.#socket.terminate()
  }

  #sent(clock: number): void {
    const full = this.#stream.writableLength > BUFFER_MAX_BYTES
    this.state = full ? { kind: 'behind', clock, since: performance.now() } : { kind: 'live', clock }
  }

  #read(bytes: Buffer): void {
    const now = this.#hear()
    if (now - this.#window.since > WINDOW_MS) this.#window = { since: now, messages: 0, questions: 0 }
    if (++this.#window.messages > MESSAGES_MAX) return this.close(CLOSE_POLICY, 'too many messages')
    this.#audience.heard(this, bytes)
  }

  #hear(): number {
    this.#heard = performance.now()
    return this.#heard
  }

  #drained(): void {
    if (this.state.kind === 'behind') this.#audience.drained(this, this.state.clock)
  }

  #leave(): void {
    if (this.state.kind === 'closed') return
    this.state = { kind: 'closed' }
    this.#audience.left(this)
  }
}
