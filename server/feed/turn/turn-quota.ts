// What the mutations of a turn take from the owner's daily quota.
import type { PatchCardBody } from '../../../shared/card.ts'
import type { BlockChange } from '../../../shared/card-patch.ts'
import { cardState } from '../../../shared/card-state.ts'
import { dailyBytesReached, dailyLimitReached } from '../../rate-limit.ts'
import type { DailyLimits } from '../log/turn.ts'
import type { Judged } from './mutation.ts'

export class TurnQuota {
  readonly spent = { cards: 0, bytes: 0 }
  readonly #limits: DailyLimits
  readonly #left: DailyLimits
  readonly #now: number

  /** `left`: of the limits, at most. */
  constructor({ limits, left }: { limits: DailyLimits; left: DailyLimits }, now: number) {
    this.#limits = limits
    this.#left = left
    this.#now = now
  }

  /** Returns how many cards remain; null: no limit. Throws 429 if there are too few. */
  spend(cards: number, bytes: number): number | null {
    const { spent } = this
    const left = this.#left.cards
    if (left !== null && cards > 0 && spent.cards + cards > left)
      throw dailyLimitReached('cards', this.#limits.cards ?? 0, this.#now)
    this.#check(bytes)
    spent.cards += cards
    spent.bytes += bytes
    return left === null ? null : left - spent.cards
  }

  /** Returns the bytes. */
  spendBytes(bytes: number): number {
    this.spend(0, bytes)
    return bytes
  }

  /** A PATCH adds the blocks that it changes, or the rows that it appends. */
  spendChange({ status }: PatchCardBody, changes: BlockChange[]): void {
    this.spend(0, jsonBytes({ status, blocks: changes.map(({ block, appended }) => appended ?? block) }))
  }

  /**
   * The press's row counts it. A copy of the card may be kept already; near the limit, there must be room for one.
   */
  checkPress({ logged: { trigger, card } }: Judged): void {
    if (this.#left.bytes === null) return
    this.#check(jsonBytes(card ? [trigger, cardState(card.blocks, new Map()), [...card.values]] : trigger))
  }

  #check(bytes: number): void {
    const left = this.#left.bytes
    if (left !== null && this.spent.bytes + bytes > left) throw dailyBytesReached(this.#now)
  }
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
