// The mutations that wait for a channel's next turn, in order.
import type { Transaction } from '../../database/connect.ts'
import { unavailable } from '../../errors.ts'
import type { HeldDocument } from '../log/held-document.ts'
import type { StoredResponse } from '../log/stored-responses.ts'
import type { Mutation, Outcome } from './mutation.ts'

const TURN_MAX = 256
/** A mutation that waits longer fails with 503. */
const WAIT_MAX_MS = 10_000

export type MutationRequest = {
  mutation: Mutation
  /** The channel's owner. New cards count against the owner's daily quota. */
  owner_id: string
  /** The length of the request's body; absent if the mutation isn't made of one. */
  bytes?: number
  responseToStore?: (outcome: Outcome) => StoredResponse
  /**
   * Writes other rows, in the same transaction, and may return how many bytes they add to the owner's day. Not called if the
   * mutation changed nothing.
   */
  also?: (tx: Transaction, outcome: Outcome) => Promise<number | undefined>
  /** Runs after the commit and before this instance makes the next turn. Not called if the commit's outcome was unknown. */
  committed?: (held: HeldDocument) => void
}

export type PendingMutation = {
  readonly request: MutationRequest
  /** When it was queued, as `performance.now()`. */
  readonly since: number
  /** Turns of unknown outcome: turn id → the mutation's outcome if that turn is in the log. */
  readonly tried: Map<string, Outcome>
  /** The mutation gets a turn of its own, because a turn with several mutations failed. */
  alone: boolean
  settled: boolean
  resolve(outcome: Outcome): void
  reject(error: unknown): void
}

export class MutationQueue {
  #waiting: PendingMutation[] = []

  get length(): number {
    return this.#waiting.length
  }

  push(request: MutationRequest): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const pending: PendingMutation = {
        request,
        since: performance.now(),
        tried: new Map(),
        alone: false,
        settled: false,
        resolve(outcome) {
          pending.settled = true
          resolve(outcome)
        },
        reject(error) {
          pending.settled = true
          reject(error)
        },
      }
      this.#waiting.push(pending)
    })
  }

  take(): PendingMutation[] {
    const late = performance.now() - WAIT_MAX_MS
    const fresh = this.#waiting.findIndex(({ since }) => since >= late)
    for (const pending of this.#waiting.splice(0, fresh < 0 ? this.#waiting.length : fresh))
      pending.reject(unavailable())
    const alone = this.#waiting.findIndex(pending => pending.alone)
    return this.#waiting.splice(0, alone < 0 ? TURN_MAX : Math.max(1, Math.min(alone, TURN_MAX)))
  }

  putBack(batch: PendingMutation[]): void {
    this.#waiting.unshift(...batch.filter(({ settled }) => !settled))
  }

  rejectAll(error: unknown): void {
    for (const pending of this.#waiting.splice(0)) pending.reject(error)
  }
}

/** How long the oldest mutation of a turn may still wait, in milliseconds. */
export function remainingWait(batch: PendingMutation[]): number {
  return Math.min(...batch.map(({ since }) => since)) + WAIT_MAX_MS - performance.now()
}
