// Which delivery is sent next: per channel the oldest, one at a time; of the channels the one that waited longest.
// A claim is committed before anything is done, and marked as sent before the first byte: nothing is sent twice.
import { randomUUID } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'
import type { Settled } from '../feed/history.ts'
import { type AttemptResult, INTERRUPTED } from '../webhooks/deliver.ts'
import type { Claimed } from '../webhooks/queue.ts'
import { countActivity, dayOf, type Fragment } from './activity.ts'

/** A claim older than this belongs to an instance that died. */
const CLAIM_SECONDS = 15

export type NewDelivery = {
  channel_id: string
  number: number
  attempts: number
  url: string
  body: string
}

/** Puts a delivery at the end of its channel's queue. Returns its id. */
export async function enqueue(
  tx: Transaction,
  { channel_id, number, attempts, url, body }: NewDelivery,
): Promise<string> {
  const id = randomUUID()
  await tx`
    with queue as (
      insert into webhook_queues as q (channel_id, host) values (${channel_id}, ${new URL(url).host})
      on conflict (channel_id) do update set ready = true, host = excluded.host,
        since = case when q.ready then q.since else clock_timestamp() end
    )
    insert into webhook_deliveries (channel_id, id, number, attempts, url, body)
    values (${channel_id}, ${id}, ${number}, ${attempts}, ${url}, ${body})`
  return id
}

/**
 * Claims the oldest waiting delivery of up to `limit` channels, none of which has one on its way.
 * `busy`: hosts that have enough on their way. `claim` names the attempt to claim, see `putBack`.
 */
export function claimDeliveries(
  sql: Sql,
  claim: string,
  limit: number,
  busy: readonly string[],
): Promise<Claimed[]> {
  return sql.begin(tx => claimWithin(tx, claim, limit, busy))
}

export async function claimWithin(
  tx: Transaction,
  claim: string,
  limit: number,
  busy: readonly string[],
): Promise<Claimed[]> {
  // The lock on the channel keeps it from being deleted halfway; one that is being deleted is left.
  const [queues] = await Promise.all([
    tx<{ channel_id: string }[]>`
      select q.channel_id from webhook_queues q join channels c on c.id = q.channel_id
      where q.ready and q.sending is null and q.host <> all(${[...busy]}::text[])
      order by q.since limit ${limit} for update of q skip locked for key share of c skip locked`,
    // No wait for the disk: the mark before the first byte is durable, and with it all that came before.
    tx`set local synchronous_commit = off`,
  ])
  if (queues.length === 0) return []
  // A statement of its own: under the locks it sees all that was queued before them.
  const claimed = await tx<Claimed[]>`
    with next as (
      select q.channel_id, d.id, d.number
      from unnest(${queues.map(({ channel_id }) => channel_id)}::uuid[]) as q (channel_id)
        left join lateral (
          select id, number from webhook_deliveries d
          where d.channel_id = q.channel_id and d.status = 'pending' order by d.place limit 1
        ) d on true
    ), queue as (
      update webhook_queues q set ready = n.id is not null, sending = n.id
      from next n where q.channel_id = n.channel_id
    )
    update webhook_deliveries d set status = 'sending', claim = ${claim}, claimed_at = clock_timestamp()
    from next n join interactions i using (channel_id, number) left join webhook_secrets s using (channel_id)
    where d.channel_id = n.channel_id and d.id = n.id
    returning d.id, d.claim, d.channel_id, i.interaction_id, d.url, d.body,
      to_jsonb(array_remove(array[s.secret, case when s.previous_until > now() then s.previous_secret end], null))
        as secrets`
  return [...claimed]
}

/**
 * The last step before the first byte goes out. False: the claim was given up meanwhile, or the database isn't that of
 * `history`, and nothing may be sent.
 */
export async function markSent(
  sql: Sql,
  { channel_id, id, claim }: Claimed,
  history: Settled,
): Promise<boolean> {
  const marked = await sql`
    update webhook_deliveries set sent_at = clock_timestamp()
    where channel_id = ${channel_id} and id = ${id} and claim = ${claim} and status = 'sending'
      and in_history(${history.identity}, ${history.generation})
    returning id`
  return marked.length === 1
}

/** Deliveries that ended without an answer, by the name of what closed them. Those of tests do not count. */
function failures(sql: Sql | Transaction, closed: Fragment) {
  return sql`
    select d.channel_id, ${dayOf(sql, 'd.created_at')} as day, 'failed' as what, count(*) as count
    from ${closed} d join interactions i using (channel_id, number) where i.type <> 'test' group by 1, 2`
}

/** What was claimed and not sent waits again. */
export async function putBack(sql: Sql, claim: string): Promise<void> {
  await returnUnsent(sql, claim, 0)
}

/** Of one claim, or of all (`claim` null) that are at least so old. */
async function returnUnsent(sql: Sql, claim: string | null, seconds: number): Promise<void> {
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

/** Keeps what became of an attempt, and lets the channel's next one go. */
export async function finishDelivery(
  sql: Sql,
  { channel_id, id, claim }: Claimed,
  result: AttemptResult,
): Promise<void> {
  // One that was given up as lost and comes back all the same knows best. No wait for the disk: what a power cut
  // takes of it is closed as interrupted, and never sent again.
  await sql`
    with before as (
      select d.channel_id, d.id, d.status = 'failed' as given_up,
        i.type <> 'test' and d.status <> ${result.status} as counts
      from webhook_deliveries d join interactions i using (channel_id, number)
      where d.channel_id = ${channel_id} and d.id = ${id} and d.claim = ${claim}
        and (d.status = 'sending' or (d.status = 'failed' and d.error = ${INTERRUPTED})) for update of d
    ), finished as (
      update webhook_deliveries d set status = ${result.status}, response_code = ${result.response_code},
        response_headers = ${result.response_headers && JSON.stringify(result.response_headers)}::text::jsonb,
        response_body = ${result.response_body}, error = ${result.error}, duration_ms = ${result.duration_ms},
        request_headers = ${JSON.stringify(result.request_headers)}::text::jsonb
      from before b where d.channel_id = b.channel_id and d.id = b.id
      returning d.channel_id, d.id, ${dayOf(sql, 'd.created_at')} as day, b.given_up, b.counts
    ), counted as (${countActivity(
      sql,
      sql`
        select channel_id, day, ${result.status === 'success' ? 'delivered' : 'failed'} as what, 1 as count
        from finished where counts
        union all select channel_id, day, 'failed', -1 from finished where counts and given_up`,
    )})
    update webhook_queues q set sending = null, since = clock_timestamp()
    from finished f, set_config('synchronous_commit', 'off', true) where q.channel_id = f.channel_id and q.sending = f.id`
}

/** Ends claims of instances that died, those older than `seconds`: what was not sent waits again, the rest is closed. */
export async function giveUpLostClaims(sql: Sql, seconds = CLAIM_SECONDS): Promise<void> {
  await returnUnsent(sql, null, seconds)
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

/** After a restore: what waits in the backup was sent since, as far as anyone knows. Its owner may send it again. */
export async function giveUpWaiting(sql: Transaction): Promise<void> {
  await sql`
    with given_up as (
      update webhook_deliveries set status = 'failed', error = 'not sent: the service was restored from a backup'
      where status in ('pending', 'sending') returning channel_id, number, created_at
    ), counted as (${countActivity(sql, failures(sql, sql`given_up`))})
    select`
  await sql`update webhook_queues set ready = false, sending = null`
}
