// Work that every instance does now and then: deleting what has expired, pruning logs, and finding lost notices.
import { deleteOldAccessChanges } from './bus/access-changes.ts'
import { deleteOldActivity } from './model/activity.ts'
import { deleteOldInteractions } from './model/interactions.ts'
import type { Auth, Base, Channels } from './parts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** How soon an instance without writes notices that another database answers behind the same address. */
const HISTORY_MS = 1_000
/** How soon event streams send an interaction whose notice was lost. */
const STREAMS_MS = 3_000

type Parts = Base & Channels & Auth

export function startPeriodicWork(parts: Parts) {
  const { sql, log, key_ring, feeds, history, streams } = parts
  const expire = () =>
    deleteExpired(parts).catch(error => log.warn({ err: error }, 'could not delete expired rows'))
  const timers = [
    setInterval(expire, HOUR_MS),
    // An instance that is restarted every hour deletes too.
    setTimeout(expire, MINUTE_MS),
    setInterval(() => {
      feeds.prune().catch(error => log.warn({ err: error }, 'could not prune logs'))
    }, MINUTE_MS),
    setInterval(() => {
      streams
        .findInteractions(sql)
        .catch(error => log.debug({ err: error }, 'could not look for new interactions'))
    }, STREAMS_MS),
    setInterval(() => {
      history.check().catch(error => log.debug({ err: error }, 'could not check the database’s history'))
    }, HISTORY_MS),
    setInterval(() => {
      key_ring.flush().catch(error => log.debug({ err: error }, 'could not store the use of API keys'))
    }, MINUTE_MS),
  ]
  return {
    stop(): void {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function deleteExpired(parts: Parts): Promise<void> {
  const { sql, now, sessions, throttle, idempotency } = parts
  const days = parts.config.interaction_retention_days
  await Promise.all([
    idempotency.sweep(),
    sessions.deleteExpired(),
    throttle.sweep(),
    deleteOldAccessChanges(sql),
    days === null ? null : deleteOldInteractions(sql, days),
    deleteOldActivity(sql, now()),
  ])
}
