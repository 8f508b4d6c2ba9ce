// What the mutations of a turn take: from the owner's daily quota, and in memory.
import type { Block } from '../../../shared/block.ts'
import type { BlockChange } from '../../../shared/blocks/definition.ts'
import type { PatchCardBody } from '../../../shared/card.ts'
import { checkSize } from '../../../shared/card-size.ts'
import { cardState } from '../../../shared/card-state.ts'
import { dailyBytesReached, dailyLimitReached } from '../../rate-limit.ts'
import type { DailyLimits } from '../log/turn.ts'
import type { Judged } from './mutation.ts'

/** Each method throws 400 for a card that is too large, and 429 beyond a limit, before it has counted anything. */
export class TurnQuota {
  readonly spent = { cards: 0, bytes: 0 }
  /** What the cards take that the mutations have created, replaced or patched, as JSON. */
  card_bytes = 0
  readonly #limits: DailyLimits
  readonly #left: DailyLimits
  readonly #now: number

  /** `left`: of the limits, at most. */
  constructor({ limits, left }: { limits: DailyLimits; left: DailyLimits }, now: number) {
    this.#limits = limits
    this.#left = left
    this.#now = now
  }

  /** A new card. Returns how many cards remain; null: no limit. */
  insert(blocks: Block[]): number | null {
    const bytes = checkSize(blocks, null)
    const left = this.#left.cards
    if (left !== null && this.spent.cards >= left)
      throw dailyLimitReached('cards', this.#limits.cards ?? 0, this.#now)
    this.#spend(bytes, bytes)
    this.spent.cards++
    return left === null ? null : left - this.spent.cards
  }

  replace(blocks: Block[], before: Block[]): void {
    const bytes = checkSize(blocks, before)
    this.#spend(bytes, bytes)
  }

  /** A PATCH adds the blocks that it changes, or the rows that it appends. */
  patch(blocks: Block[], before: Block[], { status }: PatchCardBody, changes: BlockChange<Block>[]): void {
    const added = { status, blocks: changes.map(({ block, appended }) => appended ?? block) }
    this.#spend(checkSize(blocks, before), jsonBytes(added))
  }

  /**
   * The press's row counts it. A copy of the card may be kept already; near the limit, there must be room for one.
   */
  checkPress({ trigger, card }: Judged['logged'], decided: Judged['decided']): void {
    if (this.#left.bytes === null) return
    const logged = jsonBytes(card ? [trigger, cardState(card.blocks, new Map()), [...card.values]] : trigger)
    this.#check(logged + (decided?.signed?.bytes ?? 0))
  }

  #spend(card_bytes: number, bytes: number): void {
    this.#check(bytes)
    this.spent.bytes += bytes
    this.card_bytes += card_bytes
  }

  #check(bytes: number): void {
    const left = this.#left.bytes
    if (left !== null && this.spent.bytes + bytes > left) throw dailyBytesReached(this.#now)
  }
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
