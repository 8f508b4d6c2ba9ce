// The mutations that wait for a channel's next turn, in order. A mutation leaves the queue only when it is settled.
import type { Transaction } from '../database/connect.ts'
import { unavailable } from '../errors.ts'
import type { Mutation, Outcome } from './mutation.ts'
import type { StoredResponse } from './stored-responses.ts'

/** More mutations than this do not share a turn. */
const TURN_MAX = 256
/** A mutation that waits longer fails with 503, and its client may repeat it. */
const WAIT_MAX_MS = 10_000

/** What the caller of a write provides. */
export type MutationRequest = {
  mutation: Mutation
  /** The channel's owner. New cards count against the owner's daily quota. */
  owner_id: string
  /** The response to store for an Idempotency-Key, in the same transaction. */
  responseToStore?: (outcome: Outcome) => StoredResponse
  /** Writes rows beside the document, in the same transaction. */
  also?: (tx: Transaction) => Promise<void>
}

/** A mutation in the queue, and the promise of its outcome. */
export class PendingMutation {
  readonly request: MutationRequest
  /** When it was queued, as `performance.now()`. */
  readonly since: number
  /** Turns whose commit has an unknown outcome: turn id → the mutation's outcome if that turn is in the log. */
  readonly tried = new Map<string, Outcome>()
  /** A turn with several mutations failed. This one now gets a turn of its own, so only its own error fails it. */
  alone = false
  #settled = false
  readonly #resolve: (outcome: Outcome) => void
  readonly #reject: (error: unknown) => void

  constructor(
    request: MutationRequest,
    since: number,
    resolve: (outcome: Outcome) => void,
    reject: (error: unknown) => void,
  ) {
    this.request = request
    this.since = since
    this.#resolve = resolve
    this.#reject = reject
  }

  get settled(): boolean {
    return this.#settled
  }

  resolve(outcome: Outcome): void {
    this.#settled = true
    this.#resolve(outcome)
  }

  reject(error: unknown): void {
    this.#settled = true
    this.#reject(error)
  }
}

export class MutationQueue {
  #waiting: PendingMutation[] = []

  get length(): number {
    return this.#waiting.length
  }

  push(request: MutationRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(new PendingMutation(request, performance.now(), resolve, reject))
    })
  }

  /** Removes and returns the mutations of the next turn. Rejects those that waited too long. */
  take(): PendingMutation[] {
    const now = performance.now()
    const fresh = this.#waiting.findIndex(({ since }) => since >= now - WAIT_MAX_MS)
    for (const pending of this.#waiting.splice(0, fresh < 0 ? this.#waiting.length : fresh))
      pending.reject(unavailable())
    const alone = this.#waiting.findIndex(pending => pending.alone)
    return this.#waiting.splice(0, alone < 0 ? TURN_MAX : Math.max(1, Math.min(alone, TURN_MAX)))
  }

  /** Puts unsettled mutations back at the front. Rejects those that waited too long. */
  putBack(batch: PendingMutation[]): void {
    const now = performance.now()
    const open = batch.filter(pending => !pending.settled)
    for (const pending of open) if (pending.since < now - WAIT_MAX_MS) pending.reject(unavailable())
    this.#waiting.unshift(...open.filter(pending => !pending.settled))
  }

  rejectAll(error: unknown): void {
    for (const pending of this.#waiting.splice(0)) pending.reject(error)
  }
}

/** How long the oldest mutation of a turn may still wait, in milliseconds. */
export function remainingWait(batch: PendingMutation[]): number {
  return Math.min(...batch.map(({ since }) => since)) + WAIT_MAX_MS - performance.now()
}
