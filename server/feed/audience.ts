// How a viewer gets from what it knows to what is true: nothing, the log's tail, or the document whole.
// Answers are made once for each place in the log, and shared by all who stand there.

import type { Logger } from 'pino'
import * as Y from 'yjs'
import { CLOSE_POLICY } from '../../shared/close-codes.ts'
import type { Sql } from '../database/connect.ts'
import { isUnavailable } from '../database/unavailable.ts'
import type { ChannelFeed } from './channel-feed.ts'
import { placeOf, readMessage, stateFrame, UP_TO_DATE_FRAME, updateFrame } from './frames.ts'
import { type DocumentHead, readTailFromClock } from './log.ts'
import { SharedCopy } from './shared-copy.ts'
import { type Answer, TailCache } from './tail-cache.ts'
import type { Audience, Viewer } from './viewer.ts'

/** The whole document, as a frame and for HTTP: `copy` is a part of the frame. */
type WholeAnswer = Answer & { frame: Buffer; copy: SharedCopy }

/** The document encoded; `answer` is null while that is under way. */
type Whole = { made: Promise<WholeAnswer>; answer: WholeAnswer | null }
/** The newest cards as they were at a place in the log. */
type First = { epoch: number; clock: number; made: Promise<SharedCopy>; copy: SharedCopy | null }

/** An encoded document may lag by so many bytes of updates before it is encoded anew. */
const LAG_MAX_BYTES = 64 * 1024
const TAIL_MAX_BYTES = 256 * 1024
const IDLE_MS = 15_000
const ASK_AGAIN_MS = 1_000

export class ChannelAudience implements Audience {
  readonly #feed: ChannelFeed
  readonly #sql: Sql
  readonly #log: Logger
  readonly #tails = new TailCache()
  #whole: Whole | null = null
  #first: First | null = null
  #used = performance.now()

  constructor(feed: ChannelFeed, sql: Sql, log: Logger) {
    this.#feed = feed
    this.#sql = sql
    this.#log = log
  }

  heard(viewer: Viewer, bytes: Buffer): void {
    const message = readMessage(bytes)
    switch (message.kind) {
      case 'malformed':
        return viewer.close(CLOSE_POLICY, 'malformed message')
      case 'dropped':
        return
      case 'step1':
        if (viewer.mayAsk()) this.#asked(viewer, message.vector)
    }
  }

  /** The viewer says what it knows. */
  #asked(viewer: Viewer, vector: Map<number, number>): void {
    this.#answer(viewer, vector).catch(error => {
      if (viewer.state.kind === 'closed') return
      // Viewers stay while the database is away.
      if (isUnavailable(error))
        return void setTimeout(() => this.#asked(viewer, vector), ASK_AGAIN_MS).unref()
      this.#log.warn({ err: error }, 'could not answer a viewer')
      viewer.close(1011, 'try again')
    })
  }

  drained(viewer: Viewer, clock: number): void {
    const head = this.#feed.head
    if (!head) return viewer.close(1012, 'try again')
    this.#asked(viewer, new Map([[head.client_id, clock]]))
  }

  /** The document as one update, for a viewer's first visit. The socket brings what changed since. */
  async whole(): Promise<SharedCopy> {
    this.#used = performance.now()
    if (!this.#feed.head) await this.#feed.refresh()
    return (await this.#state()).copy
  }

  /** The newest cards as JSON. */
  async firstCards(): Promise<SharedCopy> {
    this.#used = performance.now()
    const head = this.#feed.head ?? (await this.#feed.refresh())
    const known = this.#first
    if (known && known.epoch === head?.epoch && known.clock === head.clock) return known.made
    const made = this.#feed.firstCards().then(first => new SharedCopy(Buffer.from(JSON.stringify(first))))
    if (!head) return made
    const fresh: First = { epoch: head.epoch, clock: head.clock, made, copy: null }
    this.#first = fresh
    made.then(
      copy => {
        fresh.copy = copy
      },
      () => {
        if (this.#first === fresh) this.#first = null
      },
    )
    return made
  }

  left(viewer: Viewer): void {
    this.#feed.fanOut.viewers.delete(viewer)
  }

  /** Once a second: answers that no viewer has asked for in 15 s leave memory. `now` is monotonic. */
  check(now: number): void {
    if (now - this.#used > IDLE_MS) this.forget()
  }

  /** How many bytes of memory the answers take. */
  get memory(): number {
    const { answer } = this.#whole ?? { answer: null }
    return (answer?.copy.bytes ?? 0) + (this.#first?.copy?.bytes ?? 0) + this.#tails.bytes
  }

  /** When a viewer last asked for one, as `performance.now()`. */
  get used(): number {
    return this.#used
  }

  /** Drops all answers from memory. The next viewer who asks has them made again. */
  forget(): void {
    this.#whole = null
    this.#first = null
    this.#tails.clear()
  }

  async #answer(viewer: Viewer, vector: Map<number, number>): Promise<void> {
    this.#used = performance.now()
    let head = this.#feed.head ?? (await this.#feed.refresh())
    if (!head) return
    let place = placeOf(vector, head)
    if (place.kind === 'lost') {
      // Another instance may have told the viewer what this one has not heard yet.
      head = await this.#feed.refresh()
      if (!head) return
      place = placeOf(vector, head)
    }
    if (place.kind === 'lost') return viewer.lost()
    for (;;) {
      const answer = await this.#answerFor(place.kind === 'at' ? place.clock : 0)
      const now = this.#feed.head
      if (!now) return viewer.close(1012, 'try again')
      if (now.epoch !== head.epoch) return this.#answer(viewer, vector)
      if (answer.epoch !== now.epoch) continue
      const rest = this.#restFrom(answer.clock, now)
      if (!rest) continue
      // The rest ends it: a client that hears it is synced has everything that is committed.
      return viewer.admit(answer.frame ? [answer.frame, rest] : [rest], now.clock)
    }
  }

  async #answerFor(clock: number): Promise<Answer> {
    const head = this.#feed.head
    if (head && clock === head.clock) return { frame: null, epoch: head.epoch, clock }
    if (clock === 0 || !head) return this.#state()
    return (await this.#tails.tail(clock, head, () => this.#makeTail(clock, head))) ?? this.#state()
  }

  async #makeTail(clock: number, head: DocumentHead): Promise<Answer | null> {
    const updates =
      this.#feed.recent.since(clock) ??
      (await readTailFromClock(this.#sql, this.#feed.channel_id, head, clock, TAIL_MAX_BYTES))
    if (!updates || updates.reduce((sum, { length }) => sum + length, 0) > TAIL_MAX_BYTES) return null
    return { frame: updateFrame(merge(updates)), epoch: head.epoch, clock: head.clock }
  }

  #state(): Promise<WholeAnswer> {
    const head = this.#feed.head
    const whole = this.#whole
    if (whole && head && (whole.answer === null || this.#serves(whole.answer, head))) return whole.made
    const fresh: Whole = { made: this.#encode(), answer: null }
    this.#whole = fresh
    fresh.made.then(
      answer => {
        fresh.answer = answer
      },
      () => {
        if (this.#whole === fresh) this.#whole = null
      },
    )
    return fresh.made
  }

  async #encode(): Promise<WholeAnswer> {
    const { update, epoch, clock } = await this.#feed.state()
    const frame = updateFrame(update)
    return { frame, copy: new SharedCopy(frame.subarray(-update.length)), epoch, clock }
  }

  /** True where few enough updates lead from `at` to the head that they may follow by themselves. */
  #serves(at: { epoch: number; clock: number }, head: DocumentHead): boolean {
    if (at.epoch !== head.epoch) return false
    if (at.clock === head.clock) return true
    const missed = this.#feed.recent.since(at.clock)
    return missed !== null && missed.reduce((sum, { length }) => sum + length, 0) < LAG_MAX_BYTES
  }

  /** What came after `clock`; null if it is not in memory. */
  #restFrom(clock: number, head: DocumentHead): Buffer | null {
    if (clock === head.clock) return UP_TO_DATE_FRAME
    return this.#tails.rest(clock, head, () => {
      const missed = this.#feed.recent.since(clock)
      return missed && stateFrame(merge(missed))
    })
  }
}

function merge(updates: Uint8Array[]): Uint8Array {
  const [first] = updates
  return updates.length === 1 && first ? first : Y.mergeUpdates(updates)
}
