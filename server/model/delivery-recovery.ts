// Recovers deliveries whose instance died, whose URL was removed, or whose database lost history.
import type { AnySql, Sql } from '../database/connect.ts'
import { countActivity, type Fragment, utcDayOf } from './activity.ts'
import { HOLDING_LOCK, INTERRUPTED, unlessHolding } from './delivery-queue.ts'

/** An older claim belongs to an instance that died. */
const CLAIM_SECONDS = 15
const HELD = 'the database was restored or lost history while this waited'
const URL_REMOVED = 'webhook_url was removed'

/** Whether there are claims that `endExpiredClaims` ends, as a condition. */
export const anyExpiredClaim = (sql: Sql) => sql`exists (
  select from webhook_deliveries
  where status = 'sending' and claimed_at <= clock_timestamp() - ${CLAIM_SECONDS} * interval '1 second')`

/** Ends claims older than `seconds`: unsent deliveries wait again, sent ones are closed as interrupted. */
export async function endExpiredClaims(sql: Sql, seconds = CLAIM_SECONDS): Promise<void> {
  await releaseClaim(sql, null, seconds)
  await sql`
    with lost as (
      update webhook_deliveries d set status = 'failed', error = ${INTERRUPTED}
      where d.status = 'sending' and d.claimed_at <= clock_timestamp() - ${seconds} * interval '1 second'
        and (d.sent_at is not null or not exists (
          select from webhook_queues q where q.channel_id = d.channel_id and q.sending = d.id))
      returning d.channel_id, d.id, d.number, d.created_at
    ), counted as (${countActivity(sql, failures(sql, sql`lost`))})
    update webhook_queues q set sending = null, since = clock_timestamp()
    from lost l where q.channel_id = l.channel_id and q.sending = l.id`
}

/** Returns unsent deliveries to their queues. `claim`: null for all claims older than `seconds`. */
export async function releaseClaim(sql: Sql, claim: string | null, seconds = 0): Promise<void> {
  await sql`
    with unsent as (
      update webhook_deliveries d set status = 'pending', claim = null, claimed_at = null from webhook_queues q
      where q.channel_id = d.channel_id and q.sending = d.id and d.status = 'sending' and d.sent_at is null
        and d.claimed_at <= clock_timestamp() - ${seconds} * interval '1 second'
        and (${claim}::uuid is null or d.claim = ${claim}::uuid)
      returning d.channel_id, d.id
    )
    update webhook_queues q set ready = true, sending = null
    from unsent u where q.channel_id = u.channel_id and q.sending = u.id`
}

export async function failWithoutUrl(sql: Sql, channel_ids: readonly string[]): Promise<void> {
  await unlessHolding(sql, async tx => {
    const queues = await tx<{ channel_id: string }[]>`
      select q.channel_id from webhook_queues q join channels c on c.id = q.channel_id
      where q.channel_id = any(${[...channel_ids]}::uuid[]) and c.webhook_url is null for update of q skip locked`
    const locked = queues.map(({ channel_id }) => channel_id)
    // A separate statement, so that it sees deliveries that were queued before the locks.
    await tx`
      with closed as (
        update webhook_deliveries set status = 'failed', error = ${URL_REMOVED}
        where channel_id = any(${locked}::uuid[]) and status = 'pending'
        returning channel_id, number, created_at
      ), counted as (${countActivity(tx, failures(tx, tx`closed`))})
      update webhook_queues set ready = false where channel_id = any(${locked}::uuid[])`
  })
}

/**
 * Holds all pending deliveries after a loss of history, because they may have been sent already: they are sent only if the
 * owner asks. Deliveries that are marked as sent are closed as interrupted. Later deliveries go out as usual.
 */
export async function holdDeliveries(tx: AnySql): Promise<void> {
  if ('begin' in tx) return tx.begin(holdDeliveries)
  await tx`select pg_advisory_xact_lock(${HOLDING_LOCK})`
  // A held delivery has no claim, so no instance can mark it as sent any more.
  await tx`
    with ended as (
      update webhook_deliveries set status = case when sent_at is null then 'held' else 'failed' end,
        error = case when sent_at is null then ${HELD} else ${INTERRUPTED} end,
        claim = case when sent_at is not null then claim end
      where status in ('pending', 'sending') returning channel_id, number, created_at, status
    ), counted as (${countActivity(tx, failures(tx, tx`(select * from ended where status = 'failed')`))})
    select`
  // A channel's later deliveries must not wait for a delivery that was closed here.
  await tx`
    update webhook_queues q set sending = null, since = clock_timestamp()
    where sending is not null and not exists (
      select from webhook_deliveries d
      where d.channel_id = q.channel_id and d.id = q.sending and d.status = 'sending')`
}

/** Counts the deliveries in `failed`, without tests. */
function failures(sql: AnySql, failed: Fragment) {
  return sql`
    select d.channel_id, ${utcDayOf(sql, 'd.created_at')} as day, 'failed' as what, count(*) as count
    from ${failed} d join interactions i using (channel_id, number) where i.type <> 'test' group by 1, 2`
}
