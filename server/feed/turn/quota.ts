// The daily limits of cards and bytes per user. The commit enforces them. This class remembers a lower bound of the usage, so
// that most of what is over a limit fails before it reaches the document.
import type { Sql } from '../../database/connect.ts'
import type { DailyLimits } from '../log/turn.ts'

const USERS_MAX = 10_000

type Used = { day: string; cards: number; bytes: number }

export class DailyQuota {
  readonly limits: DailyLimits
  readonly #sql: Sql
  readonly #days = new Map<string, Used>()

  constructor(sql: Sql, limits: DailyLimits) {
    this.#sql = sql
    this.limits = limits
  }

  async open(user_id: string, day: string): Promise<void> {
    const { cards, bytes } = this.limits
    if ((cards === null && bytes === null) || this.#days.get(user_id)?.day === day) return
    await this.refresh(user_id, day)
  }

  async refresh(user_id: string, day: string): Promise<void> {
    const [row] = await this.#sql<{ cards: number; bytes: number }[]>`
      select cards, bytes from daily_usage where user_id = ${user_id} and day = ${day}`
    this.learn(user_id, day, row?.cards ?? 0, row?.bytes ?? 0)
  }

  /** How much the day has left, at most; null: no limit. */
  remaining(user_id: string, day: string): DailyLimits {
    const known = this.#days.get(user_id)
    const used = known?.day === day ? known : { cards: 0, bytes: 0 }
    const left = (limit: number | null, used: number) => (limit === null ? null : Math.max(0, limit - used))
    return { cards: left(this.limits.cards, used.cards), bytes: left(this.limits.bytes, used.bytes) }
  }

  forgetAll(): void {
    this.#days.clear()
  }

  /** Results may arrive out of order. Within a day the usage only rises. */
  learn(user_id: string, day: string, cards: number, bytes = 0): void {
    const known = this.#days.get(user_id)
    if (known && known.day > day) return
    if (this.#days.size >= USERS_MAX) this.#days.clear()
    const before = known?.day === day ? known : { cards: 0, bytes: 0 }
    const used = { day, cards: Math.max(before.cards, cards), bytes: Math.max(before.bytes, bytes) }
    this.#days.set(user_id, used)
  }
}
