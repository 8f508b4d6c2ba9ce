// The writes that wait for a channel's turns. A write leaves the line when it is answered, and not before.
import type { Transaction } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import type { Outcome, Write } from './turn.ts'
import type { KeptAnswer } from './turn-record.ts'

export type WriteRequest = {
  write: Write
  /** The channel's owner, whose daily quota new cards count against. */
  owner_id: string
  /** Keeps the answer for a repeated request, in the same transaction. */
  keep?: (outcome: Outcome) => KeptAnswer
  /** Rows beside the document, in the same transaction. */
  also?: (tx: Transaction) => Promise<void>
}

/** More writes than this do not share a turn. */
const WRITES_MAX = 256
/** A write that waits longer is refused: its client may ask again. */
const GIVE_UP_MS = 10_000

export class QueuedWrite {
  readonly request: WriteRequest
  /** When it was queued, as `performance.now()`. */
  readonly since: number
  /** Attempts whose fate is unknown: turn id → what it would have done. */
  readonly tried = new Map<string, Outcome>()
  /** A turn failed that held this write and others: now it gets one of its own, and only its own faults. */
  alone = false
  #answered = false
  readonly #resolve: (outcome: Outcome) => void
  readonly #reject: (error: unknown) => void

  constructor(
    request: WriteRequest,
    since: number,
    resolve: (outcome: Outcome) => void,
    reject: (error: unknown) => void,
  ) {
    this.request = request
    this.since = since
    this.#resolve = resolve
    this.#reject = reject
  }

  get answered(): boolean {
    return this.#answered
  }

  done(outcome: Outcome): void {
    this.#answered = true
    this.#resolve(outcome)
  }

  refuse(error: unknown): void {
    this.#answered = true
    this.#reject(error)
  }
}

export class WriteQueue {
  #waiting: QueuedWrite[] = []

  get length(): number {
    return this.#waiting.length
  }

  push(request: WriteRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(new QueuedWrite(request, performance.now(), resolve, reject))
    })
  }

  /** The writes of the next turn, in the order in which they came. Those that waited too long are refused. */
  take(): QueuedWrite[] {
    const now = performance.now()
    const fresh = this.#waiting.findIndex(({ since }) => since >= now - GIVE_UP_MS)
    for (const queued of this.#waiting.splice(0, fresh < 0 ? this.#waiting.length : fresh))
      queued.refuse(unavailable())
    const alone = this.#waiting.findIndex(queued => queued.alone)
    return this.#waiting.splice(0, alone < 0 ? WRITES_MAX : Math.max(1, Math.min(alone, WRITES_MAX)))
  }

  /** Puts unanswered writes back at the head of the line, and refuses those that waited too long. */
  putBack(batch: QueuedWrite[]): void {
    const now = performance.now()
    const open = batch.filter(queued => !queued.answered)
    for (const queued of open) if (queued.since < now - GIVE_UP_MS) queued.refuse(unavailable())
    this.#waiting.unshift(...open.filter(queued => !queued.answered))
  }

  /** How long the oldest of a turn's writes may still wait, in milliseconds. */
  patience(batch: QueuedWrite[]): number {
    return Math.min(...batch.map(({ since }) => since)) + GIVE_UP_MS - performance.now()
  }

  refuseAll(error: unknown): void {
    for (const queued of this.#waiting.splice(0)) queued.refuse(error)
  }
}
