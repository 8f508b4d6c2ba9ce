// Turns that would delay the others are committed here, on connections of their own: those that met a lock, and those
// that write rows beside the document. Someone may hold a row for seconds, as the deletion of a large channel does.
import type { Attempt } from './turn-record.ts'

export const ASIDE_CONNECTIONS = 4
/** All but one connection may wait for locks with patience. */
const PATIENT_MAX = ASIDE_CONNECTIONS - 1
/** A turn that is locked waits for so long at a time, in milliseconds; then another one that is locked gets its place. */
const LOCK_MS = 1_000
/** The next turns of a channel that stayed locked come here at once, for so long. */
const REMEMBER_MS = 60_000

/** `give_up_at`: when it has waited long enough for a lock, in terms of performance.now(). */
export type PatientTurn = Attempt & { give_up_at: number }

type Ways<T> = {
  /** Commits the turns together and returns those that met a lock. Waits for each lock up to `lock_ms`. */
  settle: (batch: T[], lock_ms: number) => Promise<T[]>
  /** The turn stayed locked to the end. */
  giveUp: (turn: T) => void
  /** How long turns that are tried together wait for a lock, since the free ones among them wait too. */
  brief_ms: number
}

export class CommitAside<T extends PatientTurn> {
  readonly #ways: Ways<T>
  /** Turns to be tried together, and in halves if a lock is met: most of them may be free. */
  readonly #groups: T[][] = []
  /** Turns that met a lock alone. */
  #locked: T[] = []
  #busy = 0
  #patient = 0
  /** Channels that stayed locked to the end, and when that was. */
  readonly #given_up = new Map<string, number>()

  constructor(ways: Ways<T>) {
    this.#ways = ways
  }

  /** Takes the turn if its channel stayed locked last time: it must not stall the common statement again. */
  takes(turn: T): boolean {
    const at = this.#given_up.get(turn.turn.channel_id)
    if (at === undefined || at < performance.now() - REMEMBER_MS) return false
    this.#locked.push(turn)
    this.#next()
    return true
  }

  /** Tries the turns together. A single turn that `met_lock` waits with patience at once. */
  add(batch: T[], met_lock: boolean): void {
    if (met_lock) this.#divide(batch)
    else this.#groups.push(batch)
    this.#next()
  }

  #divide(batch: T[]): void {
    if (batch.length < 2) return void this.#locked.push(...batch)
    const middle = Math.ceil(batch.length / 2)
    this.#groups.push(batch.slice(0, middle), batch.slice(middle))
  }

  #next(): void {
    this.#giveUp()
    while (this.#busy < ASIDE_CONNECTIONS) {
      const group = this.#groups.shift()
      const turn = group || this.#patient === PATIENT_MAX ? undefined : this.#locked.shift()
      if (group) void this.#try(group)
      else if (turn) void this.#wait(turn)
      else return
    }
  }

  async #try(group: T[]): Promise<void> {
    this.#busy++
    this.#divide(await this.#ways.settle(group, this.#ways.brief_ms))
    this.#busy--
    this.#next()
  }

  async #wait(turn: T): Promise<void> {
    this.#busy++
    this.#patient++
    const left_ms = Math.ceil(turn.give_up_at - performance.now())
    const locked = await this.#ways.settle([turn], Math.min(LOCK_MS, left_ms))
    if (locked.length === 0) this.#given_up.delete(turn.turn.channel_id)
    this.#locked.push(...locked)
    this.#busy--
    this.#patient--
    this.#next()
  }

  /** Answers the turns that have waited long enough. */
  #giveUp(): void {
    const now = performance.now()
    const late = this.#locked.filter(({ give_up_at }) => give_up_at <= now)
    if (late.length === 0) return
    this.#locked = this.#locked.filter(({ give_up_at }) => give_up_at > now)
    for (const [channel_id, at] of this.#given_up)
      if (at < now - REMEMBER_MS) this.#given_up.delete(channel_id)
    for (const turn of late) {
      this.#given_up.set(turn.turn.channel_id, now)
      this.#ways.giveUp(turn)
    }
  }
}
