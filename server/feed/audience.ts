// How a viewer gets from what it knows to what is true: nothing, the log's tail, or the document whole.
// Answers are made once for each place in the log, and shared by all who stand there.

import type { Logger } from 'pino'
import * as Y from 'yjs'
import { CLOSE_POLICY } from '../../shared/close-codes.ts'
import type { Sql } from '../database/connect.ts'
import type { ChannelFeed } from './channel-feed.ts'
import { placeOf, readMessage, stateFrame, UP_TO_DATE_FRAME, updateFrame } from './frames.ts'
import { type DocumentHead, readTailFromClock } from './log.ts'
import type { Audience, Viewer } from './viewer.ts'

/** What brings a viewer to `clock`; null: it is there. Clocks of other epochs have nothing to do with it. */
type Answer = { frame: Buffer | null; epoch: number; clock: number }
/** `update`: the document, as a part of the frame. */
type WholeAnswer = Answer & { frame: Buffer; update: Uint8Array }

/** The document encoded; `at` is null while that is under way. */
type Whole = { answer: Promise<WholeAnswer>; at: { epoch: number; clock: number } | null; used: number }

/** An encoded document may lag by so many bytes of updates before it is encoded anew. */
const LAG_MAX_BYTES = 64 * 1024
const TAIL_MAX_BYTES = 256 * 1024
const CACHE_IDLE_MS = 15_000
const TAILS_MAX = 256

export class ChannelAudience implements Audience {
  readonly #feed: ChannelFeed
  readonly #sql: Sql
  readonly #log: Logger
  #whole: Whole | null = null
  /** Clock a viewer stands at → its answer, while the document stays where it is. */
  readonly #tails = new Map<number, Promise<Answer | null>>()
  /** Clock of an answer → what comes after it. */
  readonly #rests = new Map<number, Buffer>()
  /** Where the document stands for which the two above were made. */
  #madeAt = { epoch: -1, clock: -1 }

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
      this.#log.warn({ err: error }, 'could not answer a viewer')
      viewer.close(1011, 'try again')
    })
  }

  drained(viewer: Viewer, clock: number): void {
    const head = this.#feed.head
    if (!head) return viewer.close(1012, 'try again')
    this.#asked(viewer, new Map([[head.client_id, clock]]))
  }

  /** The document as one update, for who has nothing of it yet: what it may lack, the socket brings. */
  async whole(): Promise<Uint8Array> {
    if (!this.#feed.head) await this.#feed.refresh()
    return (await this.#state()).update
  }

  left(viewer: Viewer): void {
    this.#feed.fanOut.viewers.delete(viewer)
  }

  /** Its answers may show what the database doesn't have. */
  forget(): void {
    this.#whole = null
    this.#forgetUnless({ epoch: -1, clock: -1 })
  }

  /** Once a second: an answer that nobody asked for in a minute leaves memory. */
  check(now: number): void {
    if (this.#whole && now - this.#whole.used > CACHE_IDLE_MS) this.#whole = null
  }

  async #answer(viewer: Viewer, vector: Map<number, number>): Promise<void> {
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
    return (await this.#tail(clock, head)) ?? this.#state()
  }

  #tail(clock: number, head: DocumentHead): Promise<Answer | null> {
    this.#forgetUnless(head)
    const known = this.#tails.get(clock)
    if (known) return known
    const made = this.#makeTail(clock, head)
    // Viewers may name any clock.
    if (this.#tails.size >= TAILS_MAX) this.#tails.clear()
    this.#tails.set(clock, made)
    made.catch(() => this.#tails.delete(clock))
    return made
  }

  /** Answers up to another place than `head` are of no more use. */
  #forgetUnless({ epoch, clock }: Pick<DocumentHead, 'epoch' | 'clock'>): void {
    if (this.#madeAt.epoch === epoch && this.#madeAt.clock === clock) return
    this.#madeAt = { epoch, clock }
    this.#tails.clear()
    this.#rests.clear()
  }

  async #makeTail(clock: number, head: DocumentHead): Promise<Answer | null> {
    const updates =
      this.#feed.recent.since(clock) ??
      (await readTailFromClock(this.#sql, this.#feed.channel_id, head, clock))
    if (!updates || updates.reduce((sum, { length }) => sum + length, 0) > TAIL_MAX_BYTES) return null
    return { frame: updateFrame(merge(updates)), epoch: head.epoch, clock: head.clock }
  }

  #state(): Promise<WholeAnswer> {
    const head = this.#feed.head
    const whole = this.#whole
    if (whole && head && (whole.at === null || this.#serves(whole.at, head))) {
      whole.used = Date.now()
      return whole.answer
    }
    const fresh: Whole = { answer: this.#encode(), at: null, used: Date.now() }
    this.#whole = fresh
    fresh.answer.then(
      answer => {
        fresh.at = answer
      },
      () => {
        if (this.#whole === fresh) this.#whole = null
      },
    )
    return fresh.answer
  }

  async #encode(): Promise<WholeAnswer> {
    const { update, epoch, clock } = await this.#feed.state()
    const frame = updateFrame(update)
    return { frame, update: frame.subarray(-update.length), epoch, clock }
  }

  /** True where few enough updates lead from `at` to the head that they may follow by themselves. */
  #serves(at: { epoch: number; clock: number }, head: DocumentHead): boolean {
    if (at.epoch !== head.epoch) return false
    if (at.clock === head.clock) return true
    const missed = this.#feed.recent.since(at.clock)
    return missed !== null && missed.reduce((sum, { length }) => sum + length, 0) < LAG_MAX_BYTES
  }

  /** Null where it is not in memory. */
  #restFrom(clock: number, head: DocumentHead): Buffer | null {
    if (clock === head.clock) return UP_TO_DATE_FRAME
    this.#forgetUnless(head)
    const known = this.#rests.get(clock)
    if (known) return known
    const missed = this.#feed.recent.since(clock)
    if (!missed) return null
    const frame = stateFrame(merge(missed))
    this.#rests.set(clock, frame)
    return frame
  }
}

function merge(updates: Uint8Array[]): Uint8Array {
  const [first] = updates
  return updates.length === 1 && first ? first : Y.mergeUpdates(updates)
}
