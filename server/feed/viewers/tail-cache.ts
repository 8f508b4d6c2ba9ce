// Frames for viewers who lack only the end of the log, shared by all viewers with the same clock. They are dropped when
// the document's clock rises.

import type { LogHead } from '../log/log.ts'
import { lengthOf } from '../log/recent-updates.ts'

/** `frames` bring a viewer to `clock` of `epoch`; without any, the viewer is there. */
export type CatchUp = { frames: Uint8Array[]; epoch: number; clock: number }

/** Viewers may name any clock. Beyond this many tails, or bytes, the cache is cleared. */
const TAILS_MAX = 256
const BYTES_MAX = 4 * 1024 * 1024

export class TailCache {
  /** By the viewer's clock; null: the tail is too long, or no longer in the log. */
  readonly #tails = new Map<number, Promise<CatchUp | null>>()
  /** By the clock of a catch-up: the frame with the updates after it. */
  readonly #rests = new Map<number, Buffer>()
  #head = { epoch: -1, clock: -1 }
  bytes = 0

  tail(clock: number, head: LogHead, make: () => Promise<CatchUp | null>): Promise<CatchUp | null> {
    this.#follow(head)
    const known = this.#tails.get(clock)
    if (known) return known
    if (this.#tails.size >= TAILS_MAX) this.clear()
    const made = make()
    this.#tails.set(clock, made)
    const isKnown = () => this.#tails.get(clock) === made
    made.then(
      tail => tail && isKnown() && this.#count(tail.frames),
      () => isKnown() && this.#tails.delete(clock),
    )
    return made
  }

  rest(clock: number, head: LogHead, make: () => Buffer | null): Buffer | null {
    this.#follow(head)
    const known = this.#rests.get(clock)
    if (known) return known
    const rest = make()
    if (!rest) return null
    this.#rests.set(clock, rest)
    this.#count([rest])
    return rest
  }

  clear(): void {
    this.#tails.clear()
    this.#rests.clear()
    this.bytes = 0
  }

  #follow({ epoch, clock }: LogHead): void {
    if (this.#head.epoch === epoch && this.#head.clock === clock) return
    this.#head = { epoch, clock }
    this.clear()
  }

  #count(frames: Uint8Array[]): void {
    this.bytes += lengthOf(frames)
    if (this.bytes > BYTES_MAX) this.clear()
  }
}
