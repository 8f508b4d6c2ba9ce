// Commits turns that would delay others, on separate connections: turns that write other rows too, and turns that met a
// lock, which may last for seconds.
import type { CommitResult, Turn } from './turn.ts'

export const ASIDE_CONNECTIONS = 4
/** One connection never waits long for a lock. */
const WAITING_MAX = ASIDE_CONNECTIONS - 1
/** A locked turn waits this long. Then the next locked turn gets its connection. */
const LOCK_MS = 1_000
/** How long several turns wait for a lock. Those without a lock wait with them. */
export const LOCK_BRIEF_MS = 10
/** After a channel stayed locked, its turns come here directly for this long. */
const REMEMBER_MS = 60_000

/** `give_up_at`: when to stop waiting for a lock, as `performance.now()`. */
export type WaitingTurn = { turn: Turn; give_up_at: number; resolve: (result: CommitResult) => void }

type CommitBatch = (batch: WaitingTurn[], lock_ms: number) => Promise<WaitingTurn[]>

export class CommitAside {
  readonly #commit: CommitBatch
  readonly #giveUp: (turn: WaitingTurn) => void
  /** Turns to be committed together. A group that meets a lock is split, since most of its turns may be free. */
  readonly #groups: WaitingTurn[][] = []
  #locked: WaitingTurn[] = []
  #busy = 0
  #waiting = 0
  readonly #given_up = new Map<string, number>()

  constructor(commit: CommitBatch, giveUp: (turn: WaitingTurn) => void) {
    this.#commit = commit
    this.#giveUp = giveUp
  }

  /** Takes the turn if its channel stayed locked last time: it must not delay the common statement again. */
  takes(turn: WaitingTurn): boolean {
    const at = this.#given_up.get(turn.turn.channel_id)
    if (at === undefined || at < performance.now() - REMEMBER_MS) return false
    this.#locked.push(turn)
    this.#next()
    return true
  }

  add(batch: WaitingTurn[], met_lock: boolean): void {
    if (met_lock) this.#split(batch)
    else this.#groups.push(batch)
    this.#next()
  }

  #split(batch: WaitingTurn[]): void {
    if (batch.length < 2) return void this.#locked.push(...batch)
    const middle = Math.ceil(batch.length / 2)
    this.#groups.push(batch.slice(0, middle), batch.slice(middle))
  }

  #next(): void {
    this.#giveUpLate()
    while (this.#busy < ASIDE_CONNECTIONS) {
      // One locked turn goes before the groups, of which there may always be another.
      const mayWait = this.#waiting === 0 || (this.#groups.length === 0 && this.#waiting < WAITING_MAX)
      const turn = mayWait ? this.#locked.shift() : undefined
      const group = turn ? undefined : this.#groups.shift()
      if (turn) void this.#commitLocked(turn)
      else if (group) void this.#commitGroup(group)
      else return
    }
  }

  async #commitGroup(group: WaitingTurn[]): Promise<void> {
    this.#busy++
    this.#split(await this.#commit(group, LOCK_BRIEF_MS))
    this.#busy--
    this.#next()
  }

  async #commitLocked(turn: WaitingTurn): Promise<void> {
    this.#busy++
    this.#waiting++
    const left_ms = Math.ceil(turn.give_up_at - performance.now())
    const locked = await this.#commit([turn], Math.min(LOCK_MS, left_ms))
    if (locked.length === 0) this.#given_up.delete(turn.turn.channel_id)
    this.#locked.push(...locked)
    this.#busy--
    this.#waiting--
    this.#next()
  }

  #giveUpLate(): void {
    const now = performance.now()
    const late = this.#locked.filter(({ give_up_at }) => give_up_at <= now)
    if (late.length === 0) return
    this.#locked = this.#locked.filter(({ give_up_at }) => give_up_at > now)
    for (const [channel_id, at] of this.#given_up)
      if (at < now - REMEMBER_MS) this.#given_up.delete(channel_id)
    for (const turn of late) {
      this.#given_up.set(turn.turn.channel_id, now)
      this.#giveUp(turn)
    }
  }
}
