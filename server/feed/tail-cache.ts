// Frames for viewers who lack only the log's tail: made once for all who stand at the same place in the log.
// They lead to where the document stands, so they are of no use once it has moved.
import type { DocumentHead } from './log.ts'

/** What brings a viewer to `clock`; null: it is there. Clocks of other epochs have nothing to do with it. */
export type Answer = { frame: Buffer | null; epoch: number; clock: number }

/** Viewers may name any place in the log: past this many, or this many bytes, all are made anew. */
const TAILS_MAX = 256
const BYTES_MAX = 4 * 1024 * 1024

export class TailCache {
  /** Clock that a viewer stands at → its answer; null: the tail is too long, or not in the log any more. */
  readonly #tails = new Map<number, Promise<Answer | null>>()
  /** Clock of an answer → the frame with what came after it. */
  readonly #rests = new Map<number, Buffer>()
  #head = { epoch: -1, clock: -1 }
  #bytes = 0

  /** How much memory the frames take. */
  get bytes(): number {
    return this.#bytes
  }

  tail(clock: number, head: DocumentHead, make: () => Promise<Answer | null>): Promise<Answer | null> {
    this.#moveTo(head)
    const known = this.#tails.get(clock)
    if (known) return known
    if (this.#tails.size >= TAILS_MAX) this.clear()
    const made = make()
    this.#tails.set(clock, made)
    made.then(
      answer => {
        if (answer?.frame && this.#tails.get(clock) === made) this.#count(answer.frame)
      },
      () => {
        if (this.#tails.get(clock) === made) this.#tails.delete(clock)
      },
    )
    return made
  }

  rest(clock: number, head: DocumentHead, make: () => Buffer | null): Buffer | null {
    this.#moveTo(head)
    const known = this.#rests.get(clock)
    if (known) return known
    const made = make()
    if (!made) return null
    this.#rests.set(clock, made)
    this.#count(made)
    return made
  }

  clear(): void {
    this.#tails.clear()
    this.#rests.clear()
    this.#bytes = 0
  }

  #moveTo({ epoch, clock }: DocumentHead): void {
    if (this.#head.epoch === epoch && this.#head.clock === clock) return
    this.#head = { epoch, clock }
    this.clear()
  }

  #count(frame: Buffer): void {
    this.#bytes += frame.length
    if (this.#bytes > BYTES_MAX) this.clear()
  }
}
