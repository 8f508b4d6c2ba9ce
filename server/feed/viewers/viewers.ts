// `Viewer` is one viewer's socket: it limits what the viewer may send, and sends nothing while the socket's buffer is full.
// `FanOut` sends a channel's updates to all its viewers without delay. Updates that arrive while it is sending share a
// frame, and after such a frame it pauses, so that a busy server sends fewer, larger frames.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { CLOSE_LOST_TIMELINE, CLOSE_POLICY, CLOSE_TRY_AGAIN } from '../../../shared/close-codes.ts'
import type { DocumentViewers } from '../log/channel-document.ts'
import { KEEP_ALIVE_FRAME, merge, updateFrame } from './frames.ts'

/** A viewer with more unsent bytes gets nothing until its socket drains. */
const BUFFER_MAX_BYTES = 256 * 1024
const BEHIND_MAX_MS = 30_000
/** A viewer's messages are counted for this long. A stock client sends one in 15 s. */
const COUNTING_MS = 10_000
const MESSAGES_MAX = 400
const STATE_REQUESTS_MAX = 20
/** A viewer that is silent for this long gets a ping, and is cut off after twice as long. */
const SILENT_MS = 45_000
/** Older stock clients return at once with the same state, and would be closed again. The delay slows this loop down. */
const LOST_DELAY_MS = 500

/** `version`: what the viewer has been sent: the document up to this clock, or the workspace's page of this version. */
export type ViewerState =
  /** The viewer hasn't sent its state vector yet. */
  | { kind: 'joining' }
  | { kind: 'live'; version: number }
  /** The socket's buffer is full since then. */
  | { kind: 'behind'; version: number; since: number }
  | { kind: 'closed' }

export type Audience = {
  receive(viewer: ViewerSocket, bytes: Buffer): void
  /** The viewer's socket takes frames again. It was sent everything up to `version`. */
  drained(viewer: ViewerSocket, version: number): void
  left(viewer: ViewerSocket): void
}

/** Counts bytes until the returned function is called. Throws if there are too many. `part`: the bytes, which viewers may share. */
type CountUnread = (part: object, bytes: number) => () => void

export class ViewerSocket {
  state: ViewerState = { kind: 'joining' }
  readonly #socket: WebSocket
  readonly #stream: Duplex
  readonly #audience: Audience
  readonly #countUnread: CountUnread
  /** Called when the socket's buffer is empty. */
  #freeUnread: (() => void)[] = []
  #window = { since: 0, messages: 0, state_requests: 0 }
  #received_at = performance.now()

  /** `stream`: the TCP stream below `socket`. Encoded frames are written to it directly. */
  constructor(
    socket: WebSocket,
    stream: Duplex,
    audience: Audience,
    countUnread: CountUnread = () => () => {},
  ) {
    this.#socket = socket
    this.#stream = stream
    this.#audience = audience
    this.#countUnread = countUnread
    socket.binaryType = 'nodebuffer'
    socket.on('message', (bytes: Buffer) => this.#read(bytes))
    socket.on('pong', () => {
      this.#received_at = performance.now()
    })
    socket.on('error', () => socket.terminate())
    socket.once('close', () => {
      this.state = { kind: 'closed' }
      this.#emptied()
      audience.left(this)
    })
    stream.on('drain', () => {
      this.#emptied()
      if (this.state.kind === 'behind') audience.drained(this, this.state.version)
    })
  }

  /** Sends a frame that brings a live viewer to `version`. A viewer that is behind catches up later. */
  send(frame: Buffer, version: number): void {
    if (this.state.kind !== 'live' || this.closing) return
    this.#stream.write(frame)
    this.#sent(version)
  }

  /** Sends what the viewer lacks up to `version`. From now on it is live. Closes it if too much waits for its reader. */
  admit(frames: Uint8Array[], version: number): void {
    if (this.state.kind === 'closed' || this.closing) return
    try {
      for (const frame of frames) this.#freeUnread.push(this.#countUnread(frame, frame.length))
    } catch {
      return this.close(CLOSE_TRY_AGAIN, 'too many unread bytes')
    }
    this.#stream.cork()
    for (const frame of frames) this.#stream.write(frame)
    this.#stream.uncork()
    if (this.#stream.writableLength === 0) this.#emptied()
    this.#sent(version)
  }

  keepAlive(frame: Buffer): void {
    if (this.state.kind === 'closed' || this.state.kind === 'behind') return
    if (!this.closing) this.#stream.write(frame)
  }

  check(now: number): void {
    if (this.state.kind === 'behind' && now - this.state.since > BEHIND_MAX_MS)
      return this.close(CLOSE_TRY_AGAIN, 'too slow')
    const silent = now - this.#received_at
    if (silent > 2 * SILENT_MS) this.#socket.terminate()
    else if (silent > SILENT_MS) this.#socket.ping()
  }

  closeLost(): void {
    const timer = setTimeout(() => this.close(CLOSE_LOST_TIMELINE, 'lost timeline'), LOST_DELAY_MS)
    this.#socket.once('close', () => clearTimeout(timer))
  }

  /** Returns false if the state must not be sent now: a viewer that is behind catches up when its socket has drained. */
  countStateRequest(): boolean {
    if (++this.#window.state_requests <= STATE_REQUESTS_MAX) return this.state.kind !== 'behind'
    this.close(CLOSE_POLICY, 'too many messages')
    return false
  }

  /** True as soon as a close was sent, even if the viewer hasn't read it yet. */
  get closing(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  #emptied(): void {
    for (const free of this.#freeUnread.splice(0)) free()
  }

  #sent(version: number): void {
    if (this.#stream.writableLength > BUFFER_MAX_BYTES)
      this.state = { kind: 'behind', version, since: performance.now() }
    else if (this.state.kind === 'live') this.state.version = version
    else this.state = { kind: 'live', version }
  }

  #read(bytes: Buffer): void {
    const now = performance.now()
    this.#received_at = now
    if (now - this.#window.since > COUNTING_MS) this.#window = { since: now, messages: 0, state_requests: 0 }
    if (++this.#window.messages > MESSAGES_MAX) return this.close(CLOSE_POLICY, 'too many messages')
    this.#audience.receive(this, bytes)
  }
}

const PAUSE_MIN_MS = 16
/** Sending a shared frame and the pause after it take at least this many times as long as the sending alone. */
const ROUND_SHARE = 2
/** A stock client leaves a server that sent no message for 30 s; pings don't count. So an empty update is sent in time. */
const KEEP_ALIVE_MS = 20_000

type FanOutState = { kind: 'idle' } | { kind: 'sending' } | { kind: 'paused'; timer: NodeJS.Timeout }

export class FanOut implements DocumentViewers {
  readonly viewers = new Set<ViewerSocket>()
  #state: FanOutState = { kind: 'idle' }
  #pending: Uint8Array[] = []
  #clock = 0
  #sent_at = performance.now()

  get present(): boolean {
    return this.viewers.size > 0
  }

  publish(update: Uint8Array, clock: number): void {
    this.#clock = clock
    if (this.viewers.size === 0) return
    this.#pending.push(update)
    if (this.#state.kind !== 'idle') return
    this.#state = { kind: 'sending' }
    // Later, so that the writers get their responses first.
    setImmediate(() => this.#send())
  }

  startOver(code: number, reason: string): void {
    this.#pending = []
    for (const viewer of this.viewers) {
      // A stock client doesn't return after 4409. A viewer that is still joining has received nothing, and can stay.
      if (code !== CLOSE_LOST_TIMELINE || viewer.state.kind !== 'joining') viewer.close(code, reason)
    }
  }

  check(now: number): void {
    for (const viewer of this.viewers) viewer.check(now)
    if (now - this.#sent_at < KEEP_ALIVE_MS) return
    this.#sent_at = now
    for (const viewer of this.viewers) viewer.keepAlive(KEEP_ALIVE_FRAME)
  }

  stop(): void {
    if (this.#state.kind === 'paused') clearTimeout(this.#state.timer)
    this.#state = { kind: 'idle' }
    this.#pending = []
  }

  #send(): void {
    if (this.#pending.length === 0) {
      this.#state = { kind: 'idle' }
      return
    }
    const began = performance.now()
    const merged = this.#pending.length > 1
    const frame = updateFrame(merge(this.#pending))
    this.#pending = []
    for (const viewer of this.viewers) viewer.send(frame, this.#clock)
    this.#sent_at = performance.now()
    const took = this.#sent_at - began
    if (!merged) return void setImmediate(() => this.#send())
    const pause = Math.max(PAUSE_MIN_MS, ROUND_SHARE * took) - took
    this.#state = { kind: 'paused', timer: setTimeout(() => this.#send(), pause) }
  }
}
