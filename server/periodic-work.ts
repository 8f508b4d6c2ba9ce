// Work that every instance does now and then: deleting what has expired, pruning logs, and finding lost notices.
import type { Logger } from 'pino'
import type { KeyRing } from './auth/api-keys.ts'
import type { Sessions } from './auth/sessions.ts'
import type { Throttle } from './auth/throttle.ts'
import { deleteOldAccessChanges } from './bus/access-changes.ts'
import type { Sql } from './database/connect.ts'
import type { Feeds } from './feed/feeds.ts'
import type { History } from './feed/history.ts'
import type { Idempotency } from './feed/idempotency.ts'
import { deleteOldActivity } from './model/activity.ts'
import { deleteOldInteractions } from './model/interactions.ts'
import type { EventStreams } from './routes/event-streams.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** How soon an instance without writes notices that another database answers behind the same address. */
const HISTORY_MS = 1_000
/** How soon event streams send an interaction whose notice was lost. */
const STREAMS_MS = 3_000

export type PeriodicWorkDeps = {
  sql: Sql
  log: Logger
  now: () => number
  auth: { sessions: Sessions; key_ring: KeyRing; throttle: Throttle }
  history: History
  feeds: Feeds
  idempotency: Idempotency
  streams: EventStreams
  /** null: interactions are kept. */
  interaction_retention_days: number | null
}

export function startPeriodicWork(deps: PeriodicWorkDeps) {
  const { sql, log, auth, feeds, history, streams } = deps
  const expire = () =>
    deleteExpired(deps).catch(error => log.warn({ err: error }, 'could not delete expired rows'))
  const timers = [
    setInterval(expire, HOUR_MS),
    // An instance that is restarted every hour deletes too.
    setTimeout(expire, MINUTE_MS),
    setInterval(() => {
      feeds.prune().catch(error => log.warn({ err: error }, 'could not prune logs'))
    }, MINUTE_MS),
    setInterval(() => {
      streams.look(sql).catch(error => log.debug({ err: error }, 'could not look for new interactions'))
    }, STREAMS_MS),
    setInterval(() => {
      history.check().catch(error => log.debug({ err: error }, 'could not check the database’s history'))
    }, HISTORY_MS),
    setInterval(() => {
      auth.key_ring.flush().catch(error => log.debug({ err: error }, 'could not store the use of API keys'))
    }, MINUTE_MS),
  ]
  return {
    stop(): void {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

async function deleteExpired({
  sql,
  now,
  auth,
  idempotency,
  interaction_retention_days: days,
}: PeriodicWorkDeps): Promise<void> {
  await Promise.all([
    idempotency.sweep(),
    auth.sessions.deleteExpired(),
    auth.throttle.sweep(),
    deleteOldAccessChanges(sql),
    days === null ? null : deleteOldInteractions(sql, days),
    deleteOldActivity(sql, now()),
  ])
}
