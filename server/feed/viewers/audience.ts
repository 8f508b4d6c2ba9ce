// Brings a channel's viewers up to date. What is encoded is shared by all viewers with the same state.
import type { Logger } from 'pino'
import { CLOSE_POLICY, CLOSE_RESTART } from '../../../shared/close-codes.ts'
import type { Sql } from '../../database/connect.ts'
import { isUnavailable } from '../../database/unavailable.ts'
import { type LogHead, readTailFromClock } from '../log/log.ts'
import { lengthOf } from '../log/recent-updates.ts'
import type { OpenChannel } from '../open-channel.ts'
import {
  merge,
  progressOf,
  readMessage,
  stateFrame,
  UP_TO_DATE_FRAME,
  updateFrame,
  updateFrameParts,
} from './frames.ts'
import { PageCopies, type PageCopy } from './page-copies.ts'
import { SharedCopy } from './shared-copy.ts'
import { type CatchUp, TailCache } from './tail-cache.ts'
import type { Audience, FanOut, ViewerSocket } from './viewers.ts'

type Encoded = CatchUp & { copy: SharedCopy }

type Making<T> = { promise: Promise<T>; done: T | null }

/** An encoded document is used until the updates after it take this many bytes. */
const LAG_MAX_BYTES = 64 * 1024
const TAIL_MAX_BYTES = 256 * 1024
const IDLE_MS = 15_000
const RETRY_MS = 1_000

export class ChannelAudience implements Audience {
  readonly #feed: OpenChannel
  readonly fanOut: FanOut
  readonly #sql: Sql
  readonly #log: Logger
  readonly #tails = new TailCache()
  readonly #pages = new PageCopies()
  #document: Making<Encoded> | null = null
  #first_cards: (Making<SharedCopy> & { epoch: number; clock: number }) | null = null
  used = performance.now()

  constructor(feed: OpenChannel, fanOut: FanOut, sql: Sql, log: Logger) {
    this.#feed = feed
    this.fanOut = fanOut
    this.#sql = sql
    this.#log = log
  }

  receive(viewer: ViewerSocket, bytes: Buffer): void {
    const message = readMessage(bytes)
    if (message.kind === 'malformed') viewer.close(CLOSE_POLICY, 'malformed message')
    if (message.kind === 'step1' && viewer.countStateRequest()) this.#sendState(viewer, message.vector)
  }

  drained(viewer: ViewerSocket, version: number): void {
    const head = this.#feed.log_head
    if (!head) return viewer.close(CLOSE_RESTART, 'try again')
    this.#sendState(viewer, new Map([[head.client_id, version]]))
  }

  left(viewer: ViewerSocket): void {
    this.fanOut.viewers.delete(viewer)
  }

  /** The document as one update, which may lag a little. Throws 404 if the channel was deleted. */
  async document(): Promise<Encoded> {
    this.used = performance.now()
    if (!this.#feed.log_head) await this.#feed.refresh()
    return this.#encodedDocument()
  }

  /** The same as it is now, with what other instances wrote, for viewers whom no socket tells the rest. */
  async currentDocument(): Promise<Encoded> {
    const head = await this.#feed.refresh()
    const known = this.#document?.done
    if (known && (known.epoch !== head?.epoch || known.clock !== head.clock)) this.#document = null
    return this.document()
  }

  /** The newest cards as JSON, which may lag a little. Throws 404 if the channel was deleted. */
  async firstCards(): Promise<SharedCopy> {
    this.used = performance.now()
    const head = this.#feed.log_head ?? (await this.#feed.refresh())
    const known = this.#first_cards
    if (known && known.epoch === head?.epoch && known.clock === head.clock) return known.promise
    const promise = this.#feed.firstCards().then(cards => new SharedCopy(Buffer.from(JSON.stringify(cards))))
    if (!head) return promise
    const { epoch, clock } = head
    const fresh = { epoch, clock, promise, done: null }
    this.#first_cards = fresh
    whenMade(fresh, () => {
      if (this.#first_cards === fresh) this.#first_cards = null
    })
    return promise
  }

  /** See `PageCopies.get`. */
  page(...of: Parameters<PageCopies['get']>): Promise<PageCopy> {
    this.used = performance.now()
    return this.#pages.get(...of)
  }

  check(now: number): void {
    this.fanOut.check(now)
    if (now - this.used > IDLE_MS) this.forget()
  }

  get memory(): number {
    const document_bytes = this.#document?.done?.copy.bytes ?? 0
    return document_bytes + (this.#first_cards?.done?.bytes ?? 0) + this.#tails.bytes + this.#pages.bytes
  }

  forget(): void {
    this.#document = null
    this.#first_cards = null
    this.#tails.clear()
    this.#pages.clear()
  }

  #sendState(viewer: ViewerSocket, vector: Map<number, number>): void {
    this.#trySendState(viewer, vector).catch(error => {
      if (viewer.state.kind === 'closed') return
      if (isUnavailable(error))
        return void setTimeout(() => this.#sendState(viewer, vector), RETRY_MS).unref()
      this.#log.warn({ err: error }, 'could not send a viewer the document')
      viewer.close(1011, 'try again')
    })
  }

  async #trySendState(viewer: ViewerSocket, vector: Map<number, number>): Promise<void> {
    this.used = performance.now()
    let head = this.#feed.log_head ?? (await this.#feed.refresh())
    if (!head) return
    let progress = progressOf(vector, head)
    if (progress.kind === 'lost') {
      // The viewer may come from an instance that was ahead of this one.
      head = await this.#feed.refresh()
      if (!head) return
      progress = progressOf(vector, head)
    }
    if (progress.kind === 'lost') return viewer.closeLost()
    for (;;) {
      const catchUp = await this.#catchUpFrom(progress.kind === 'at' ? progress.clock : 0)
      const now = this.#feed.log_head
      if (!now) return viewer.close(CLOSE_RESTART, 'try again')
      if (now.epoch !== head.epoch) return this.#trySendState(viewer, vector)
      if (catchUp.epoch !== now.epoch) continue
      const rest = this.#restFrom(catchUp.clock, now)
      if (!rest) continue
      // The rest is a step 2: a client that counts as synced has everything that is committed.
      return viewer.admit([...catchUp.frames, rest], now.clock)
    }
  }

  async #catchUpFrom(clock: number): Promise<CatchUp> {
    const head = this.#feed.log_head
    if (head && clock === head.clock) return { frames: [], epoch: head.epoch, clock }
    if (clock === 0 || !head) return this.#encodedDocument()
    return (
      (await this.#tails.tail(clock, head, () => this.#encodeTail(clock, head))) ?? this.#encodedDocument()
    )
  }

  async #encodeTail(clock: number, head: LogHead): Promise<CatchUp | null> {
    const updates =
      this.#feed.document.committed.recent.since(clock) ??
      (await readTailFromClock(this.#sql, this.#feed.channel_id, head, clock, TAIL_MAX_BYTES))
    if (!updates || lengthOf(updates) > TAIL_MAX_BYTES) return null
    return { frames: [updateFrame(merge(updates))], epoch: head.epoch, clock: head.clock }
  }

  #encodedDocument(): Promise<Encoded> {
    const head = this.#feed.log_head
    const known = this.#document
    if (known && head && (known.done === null || this.#isRecent(known.done, head))) return known.promise
    const fresh: Making<Encoded> = { promise: this.#encodeDocument(), done: null }
    this.#document = fresh
    whenMade(fresh, () => {
      if (this.#document === fresh) this.#document = null
    })
    return fresh.promise
  }

  async #encodeDocument(): Promise<Encoded> {
    const { update, epoch, clock } = await this.#feed.state()
    return {
      frames: updateFrameParts(update),
      copy: new SharedCopy(Buffer.from(update.buffer, update.byteOffset, update.length)),
      epoch,
      clock,
    }
  }

  #isRecent(encoded: { epoch: number; clock: number }, head: LogHead): boolean {
    if (encoded.epoch !== head.epoch) return false
    if (encoded.clock === head.clock) return true
    const missing = this.#feed.document.committed.recent.since(encoded.clock)
    return missing !== null && lengthOf(missing) < LAG_MAX_BYTES
  }

  /** The updates after `clock` as a frame; null if they are not in memory. */
  #restFrom(clock: number, head: LogHead): Buffer | null {
    if (clock === head.clock) return UP_TO_DATE_FRAME
    return this.#tails.rest(clock, head, () => {
      const missing = this.#feed.document.committed.recent.since(clock)
      return missing && stateFrame(merge(missing))
    })
  }
}

function whenMade<T>(made: Making<T>, failed: () => void): void {
  made.promise.then(value => {
    made.done = value
  }, failed)
}
