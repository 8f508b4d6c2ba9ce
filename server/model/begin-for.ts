// Transactions in their owners' turns: one owner's many requests leave connections to the others.
import type { Sql, Transaction } from '../database/connect.ts'
import { createTurnstile } from '../turnstile.ts'

/** How many connections the pool for transactions has. docs/operations.md adds up an instance's connections. */
export const TRANSACTIONS_MAX = 6
/** More than can be done before their requests get 503. */
const WAITING = { waiting_max: 50_000, queue_max: 10_000 }
const LIMITS = { at_once: TRANSACTIONS_MAX, each_at_once: 3, ...WAITING }

const pools = new WeakMap<Sql, ReturnType<typeof createTurnstile>>()

/** `sql.begin` for a request about something of `owner_id`'s. Throws 503 if ten thousand wait. Don't nest it. */
export function beginFor<T>(
  sql: Sql,
  owner_id: string,
  work: (tx: Transaction) => Promise<T>,
): ReturnType<typeof sql.begin<T>> {
  const pass = pools.get(sql) ?? createTurnstile(LIMITS)
  pools.set(sql, pass)
  return pass({ kind: 'other', from: owner_id }, () => sql.begin(work))
}
