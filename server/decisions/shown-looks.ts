// What viewers see of the looks at a channel's questions. All viewers of an instance share one query.
import type { Looks } from '../../shared/looks.ts'
import type { Sql } from '../database/connect.ts'
import { readLooks } from './look-rows.ts'

/** How old it may be. */
const KEPT_MS = 5_000

export class ShownLooks {
  readonly #sql: Sql
  readonly #now: () => number
  readonly #read = new Map<string, Promise<Looks>>()

  /** `now`: the wall clock, for deadlines. */
  constructor(sql: Sql, now: () => number) {
    this.#sql = sql
    this.#now = now
  }

  of(channel_id: string): Promise<Looks> {
    const known = this.#read.get(channel_id)
    if (known) return known
    const looks = readLooks(this.#sql, channel_id, new Date(this.#now()).toISOString())
    this.#read.set(channel_id, looks)
    const drop = () => {
      if (this.#read.get(channel_id) === looks) this.#read.delete(channel_id)
    }
    looks.catch(drop)
    setTimeout(drop, KEPT_MS).unref()
    return looks
  }
}
