// Limits the memory that holds responses which clients don't read: for one receiver, and for all. Counted per instance. Bytes
// that several responses share are in memory once, so they count once.
import { tooManyUnread, unavailable } from '../errors.ts'

/** A smaller response doesn't count: it fits into the buffers of its connection. */
const COUNTED_MIN_BYTES = 64 * 1024

class Pile {
  bytes = 0
  readonly #parts = new Map<object, { bytes: number; uses: number }>()

  /** A pile may always have one part, however large. */
  hasRoom(part: object, bytes: number, max: number | null): boolean {
    return max === null || this.bytes === 0 || this.#parts.has(part) || this.bytes + bytes <= max
  }

  add(part: object, bytes: number): void {
    const known = this.#parts.get(part)
    if (known) return void known.uses++
    this.#parts.set(part, { bytes, uses: 1 })
    this.bytes += bytes
  }

  remove(part: object): void {
    const known = this.#parts.get(part)
    if (!known || --known.uses > 0) return
    this.#parts.delete(part)
    this.bytes -= known.bytes
  }

  get isEmpty(): boolean {
    return this.#parts.size === 0
  }
}

export class UnreadBytes {
  readonly #all = new Pile()
  readonly #receivers = new Map<string, Pile>()
  readonly #limits: { per_receiver: number | null; in_all: number | null }
  readonly #onRefused: () => void

  constructor(limits: { per_receiver: number | null; in_all: number | null }, onRefused = () => {}) {
    this.#limits = limits
    this.#onRefused = onRefused
  }

  get bytes(): number {
    return this.#all.bytes
  }

  /**
   * Counts a response until the returned function is called. `part`: its bytes, or what stands for them if responses share
   * them. Throws 429 if the receiver has too many, and 503 if all together have.
   */
  take(receiver: string, part: object, bytes: number): () => void {
    if (bytes < COUNTED_MIN_BYTES) return () => {}
    const own = this.#receivers.get(receiver) ?? new Pile()
    const { per_receiver, in_all } = this.#limits
    if (!own.hasRoom(part, bytes, per_receiver)) throw this.#refused(tooManyUnread())
    if (!this.#all.hasRoom(part, bytes, in_all)) throw this.#refused(unavailable())
    this.#receivers.set(receiver, own)
    const piles = [own, this.#all]
    for (const pile of piles) pile.add(part, bytes)
    return () => {
      for (const pile of piles.splice(0)) pile.remove(part)
      if (own.isEmpty) this.#receivers.delete(receiver)
    }
  }

  /** Throws like `take` if the receiver already has as much as it may have. Call it before making a response. */
  check(receiver: string): void {
    const { per_receiver } = this.#limits
    const own = this.#receivers.get(receiver)
    if (own && per_receiver !== null && own.bytes >= per_receiver) throw this.#refused(tooManyUnread())
  }

  #refused<T>(error: T): T {
    this.#onRefused()
    return error
  }
}

/** Who receives a response: a user, or a network address if nobody is signed in. */
export const receiverOf = (user_id: string | null, address: string) =>
  user_id === null ? `address ${address}` : `account ${user_id}`
