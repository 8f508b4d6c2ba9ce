// Periodic work of every instance: deletes expired rows, prunes logs, and finds lost notices.
import { deleteOldAccessChanges } from './bus/access-changes.ts'
import { deleteRowsOfDeletedDocuments } from './feed/deleted-documents.ts'
import { deleteOldActivity } from './model/activity.ts'
import type { DecisionExpiry } from './model/decision-expiry.ts'
import { deleteOldDecisions } from './model/decision-retention.ts'
import { deleteOldInteractions } from './model/interactions.ts'
import { forgetOldReceipts, hideLeftReceipts } from './model/receipts.ts'
import type { Auth, Base, Channels } from './parts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** How soon an instance without writes notices that its database was replaced. */
const HISTORY_MS = 1_000
/** How soon the rows of a deleted channel begin to leave. */
const DELETED_MS = 5_000
/** How soon a question is closed after its deadline. */
const EXPIRY_MS = 1_000
/** How often awaited decisions are looked up if the bus is lost; see `check`. */
const WAITS_MS = 1_000
/** How soon event streams send an interaction whose notice was lost. */
const STREAMS_MS = 3_000

type Parts = Base & Channels & Auth & { expiry: DecisionExpiry }

export function startPeriodicWork(parts: Parts) {
  const { sql, log, bus, key_ring, feeds, history, streams, waits, expiry } = parts
  /** Skips a time at which the work is still running. */
  const every = (ms: number, level: 'warn' | 'debug', what: string, work: () => Promise<unknown>) => {
    let idle = true
    return setInterval(async () => {
      if (!idle) return
      idle = false
      await work().catch(error => log[level]({ err: error }, `could not ${what}`))
      idle = true
    }, ms)
  }
  const expire = () =>
    deleteExpired(parts).catch(error => log.warn({ err: error }, 'could not delete expired rows'))
  const timers = [
    every(EXPIRY_MS, 'debug', 'close overdue questions', () => expiry.sweep()),
    setInterval(expire, HOUR_MS),
    // An instance that is restarted every hour deletes too.
    setTimeout(expire, MINUTE_MS),
    every(MINUTE_MS, 'warn', 'prune logs', () => feeds.prune()),
    every(DELETED_MS, 'debug', 'delete rows of deleted channels', () => deleteRowsOfDeletedDocuments(sql)),
    every(STREAMS_MS, 'debug', 'look for new interactions', () => streams.findInteractions(sql)),
    every(WAITS_MS, 'debug', 'look for ended decisions', () => waits.check(bus.connected)),
    every(HISTORY_MS, 'debug', 'check the database’s history', () => history.check()),
    every(MINUTE_MS, 'debug', 'store the use of API keys', () => key_ring.flush()),
  ]
  return { stop: () => timers.forEach(clearTimeout) }
}

async function deleteExpired(parts: Parts): Promise<void> {
  const { sql, feeds, now, sessions, throttle, idempotency } = parts
  const days = parts.config.interaction_retention_days
  await Promise.all([
    idempotency.sweep(),
    sessions.deleteExpired(),
    throttle.sweep(),
    deleteOldAccessChanges(sql),
    days === null ? null : deleteOldInteractions(sql, days),
    days === null ? null : forgetOldReceipts(sql, feeds, days, now()),
    hideLeftReceipts(sql, feeds),
    days === null ? null : deleteOldDecisions(sql, feeds, days),
    deleteOldActivity(sql, now()),
  ])
}
