// The daily card limit per user. The commit enforces it. This class remembers a lower bound of the usage, so that most
// cards over the limit fail before they reach the document.
import type { Sql } from '../database/connect.ts'

const USERS_MAX = 10_000

export class CardQuota {
  readonly limit: number | null
  readonly #sql: Sql
  readonly #days = new Map<string, { day: string; used: number }>()

  constructor(sql: Sql, limit: number | null) {
    this.#sql = sql
    this.limit = limit
  }

  async open(user_id: string, day: string): Promise<void> {
    if (this.limit === null || this.#days.get(user_id)?.day === day) return
    await this.refresh(user_id, day)
  }

  async refresh(user_id: string, day: string): Promise<void> {
    const [row] = await this.#sql<{ cards: number }[]>`
      select cards from daily_usage where user_id = ${user_id} and day = ${day}`
    this.learn(user_id, day, row?.cards ?? 0)
  }

  /** How many cards the day has left, at most; null: no limit. */
  remaining(user_id: string, day: string): number | null {
    if (this.limit === null) return null
    const known = this.#days.get(user_id)
    return Math.max(0, this.limit - (known?.day === day ? known.used : 0))
  }

  forgetAll(): void {
    this.#days.clear()
  }

  /** Results may arrive out of order. Within a day the usage only rises. */
  learn(user_id: string, day: string, used: number): void {
    const known = this.#days.get(user_id)
    if (known && known.day > day) return
    if (this.#days.size >= USERS_MAX) this.#days.clear()
    this.#days.set(user_id, { day, used: known?.day === day ? Math.max(known.used, used) : used })
  }
}
