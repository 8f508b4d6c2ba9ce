// Periodic work of every instance: deletes expired rows, prunes logs, and finds lost notices.
import { deleteOldAccessChanges } from './bus/access-changes.ts'
import type { DecisionAbandonment } from './decisions/abandonment.ts'
import type { EndQuestion } from './decisions/end-question.ts'
import type { DecisionExpiry } from './decisions/expiry.ts'
import { deleteOldLooks } from './decisions/look-rows.ts'
import { LOOK_TIMES } from './decisions/look-times.ts'
import { deleteOldDecisions } from './decisions/retention.ts'
import { keepSigningKey } from './decisions/signing-keys.ts'
import { anyDeletedDocument, deleteRowsOfDeletedDocuments } from './feed/log/deleted-documents.ts'
import { deleteOldActivity } from './model/activity.ts'
import { anyExpiredClaim, endExpiredClaims } from './model/delivery-recovery.ts'
import { deleteOldInteractions } from './model/interactions.ts'
import { deleteOldInvites } from './model/invites.ts'
import { deleteExpiredPasswordResets } from './model/password-resets.ts'
import { forgetOldReceipts, hideLeftReceipts, stopStaleHiding } from './model/receipts.ts'
import type { Auth, Base, Channels } from './parts.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** How soon a question is closed after its deadline, and an instance without writes notices that its database was replaced. */
const LOOK_MS = 1_000
/** How soon a request stops waiting if its key or right ended just before. */
const WAITS_MS = 5_000
/** How soon event streams send an interaction whose notice was lost. */
const STREAMS_MS = 3_000

type Work = () => Promise<unknown>
type Parts = Base &
  Channels &
  Auth & { expiry: DecisionExpiry; abandonment: DecisionAbandonment; endQuestion: EndQuestion }

/** What the look of every second finds. */
type Found = {
  now_ms: number
  lost: boolean
  overdue: boolean
  claims: boolean
  rows: boolean
}

export function startPeriodicWork(parts: Parts) {
  const { sql, log, key_ring, feeds, history, streams, waits, looks, expiry, abandonment } = parts
  /** Does nothing while the work is still running. */
  const task = (level: 'warn' | 'debug', what: string, work: Work) => {
    let idle = true
    return async () => {
      if (!idle) return
      idle = false
      await work().catch(error => log[level]({ err: error }, `could not ${what}`))
      idle = true
    }
  }
  const every = (ms: number, level: 'warn' | 'debug', what: string, work: Work) =>
    setInterval(task(level, what, work), ms)
  const expire = task('warn', 'delete expired rows', () => deleteExpired(parts))
  const checkHistory = task('debug', 'check the database’s history', () => history.check())
  const closeOverdue = task('debug', 'close overdue questions', () => expiry.sweep())
  const closeAbandoned = task('debug', 'close abandoned questions', () => abandonment.sweep())
  const endClaims = task('debug', 'end expired delivery claims', () => endExpiredClaims(sql))
  const deleteRows = task('debug', 'delete rows of deleted channels', () => deleteRowsOfDeletedDocuments(sql))
  /** One query, because an idle instance should hardly use the database. */
  const look = task('debug', 'look for work', async () => {
    const [found] = await sql<Found[]>`
      select extract(epoch from now())::float8 * 1000 as now_ms, ${history.lost} as lost, ${expiry.due} as overdue,
        ${anyExpiredClaim(sql)} as claims, ${anyDeletedDocument(sql)} as rows`
    if (!found) return
    looks.databaseAnswered(found.now_ms)
    if (found.lost) void checkHistory()
    if (found.overdue) void closeOverdue()
    if (abandonment.due) void closeAbandoned()
    if (found.claims) void endClaims()
    if (found.rows) void deleteRows()
  })
  const timers = [
    setInterval(look, LOOK_MS),
    setInterval(expire, HOUR_MS),
    // An instance that is restarted every hour deletes too.
    setTimeout(expire, MINUTE_MS),
    every(MINUTE_MS, 'warn', 'prune logs', () => feeds.prune()),
    every(STREAMS_MS, 'debug', 'look for new interactions', () => streams.findInteractions(sql)),
    every(STREAMS_MS, 'debug', 'check event streams', () => streams.check()),
    every(WAITS_MS, 'debug', 'check waiting requests', () => waits.check()),
    every(LOOK_TIMES.every, 'debug', 'renew leases', () => looks.renew()),
    every(MINUTE_MS, 'debug', 'store the use of API keys', () => key_ring.flush()),
  ]
  return { stop: () => timers.forEach(clearTimeout) }
}

async function deleteExpired(parts: Parts): Promise<void> {
  const { sql, feeds, now, sessions, throttle, idempotency, expiry } = parts
  const days = parts.config.interaction_retention_days
  await Promise.all([
    idempotency.sweep(),
    sessions.deleteExpired(),
    throttle.sweep(),
    deleteExpiredPasswordResets(sql),
    deleteOldAccessChanges(sql),
    days === null ? null : deleteOldInteractions(sql, days),
    days === null ? null : forgetOldReceipts(sql, feeds, days, now()),
    hideLeftReceipts(sql, feeds),
    stopStaleHiding(sql),
    deleteOldInvites(sql),
    expiry.sweepLeft(),
    keepSigningKey(parts),
    deleteOldLooks(sql),
    days === null ? null : deleteOldDecisions(parts, days),
    deleteOldActivity(sql, now()),
  ])
}
