// A channel's deliveries are claimed the oldest first, one at a time. A claim is committed before anything is done, and
// marked as sent before the first byte: nothing is sent twice.
import { randomUUID } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'
import type { HistoryIdentity } from '../feed/history.ts'
import { type AttemptResult, INTERRUPTED } from '../webhooks/deliver.ts'
import type { Claimed, Claims } from '../webhooks/queue.ts'
import { countActivity, dayOf, type Fragment } from './activity.ts'
import { withCardState } from './card-states.ts'
import { type BodyParts, bodyColumns, bodyOf } from './webhook-body.ts'

/** A claim older than this belongs to an instance that died. */
const CLAIM_SECONDS = 15
/** The log gives these as reasons. */
const HELD = 'the database was restored or lost history while this waited'
const URL_REMOVED = 'webhook_url was removed'

const holdingLock = 0x63666877 // any number of our own

export type NewDelivery = {
  channel_id: string
  number: number
  attempts: number
  url: string
  /** The card that the body names. */
  card_id: string | null
  /** Of an earlier attempt that had its body stored. */
  body: string | null
}

/** Puts a delivery at the end of its channel's queue. Returns its id. */
export async function enqueue(
  tx: Transaction,
  { channel_id, number, attempts, url, card_id, body }: NewDelivery,
): Promise<string> {
  const id = randomUUID()
  await tx`
    with queue as (
      insert into webhook_queues as q (channel_id) values (${channel_id})
      on conflict (channel_id) do update set ready = true,
        since = case when q.ready then q.since else clock_timestamp() end
    )
    insert into webhook_deliveries (channel_id, id, number, attempts, url, card_id, body)
    values (${channel_id}, ${id}, ${number}, ${attempts}, ${url}, ${card_id}, ${body})`
  return id
}

/**
 * Claims the oldest waiting delivery of each of these channels, unless one of the channel's is on its way already.
 * `claim` names the attempt to claim, see `putBack`.
 */
export async function claimDeliveries(
  sql: Sql,
  claim: string,
  channel_ids: readonly string[],
): Promise<Claims> {
  let claims: Claims = { claimed: [], looked_at: 0 }
  await unlessHolding(sql, async tx => {
    claims = await claimWithin(tx, claim, channel_ids)
  })
  return claims
}

export async function claimWithin(
  tx: Transaction,
  claim: string,
  channel_ids: readonly string[],
): Promise<Claims> {
  // The lock on the channel keeps it from being deleted halfway; one that is being deleted is left.
  const queues = await tx<{ channel_id: string }[]>`
    select q.channel_id from webhook_queues q join channels c on c.id = q.channel_id
    where q.channel_id = any(${[...channel_ids]}::uuid[]) and q.ready and q.sending is null
    for update of q skip locked for key share of c skip locked`
  if (queues.length === 0) return { claimed: [], looked_at: 0 }
  // A statement of its own: under the locks it sees all that was queued before them. It also sees the channel's present
  // URL; where that was removed a moment ago, the delivery waits for `closeWithoutUrl`.
  const claimed = await tx<(Omit<Claimed, 'body'> & BodyParts)[]>`
    with next as (
      select c.id as channel_id, d.id, d.number, c.webhook_url as url
      from channels c left join lateral (
        select id, number from webhook_deliveries d
        where d.channel_id = c.id and d.status = 'pending' order by d.place limit 1
      ) d on true
      where c.id = any(${queues.map(({ channel_id }) => channel_id)}::uuid[])
    ), queue as (
      update webhook_queues q set ready = n.id is not null, sending = case when n.url is not null then n.id end
      from next n where q.channel_id = n.channel_id
    )
    update webhook_deliveries d set status = 'sending', claim = ${claim}, claimed_at = clock_timestamp(), url = n.url
    from next n join interactions i using (channel_id, number) left join webhook_secrets s using (channel_id)
      ${withCardState(tx)}
    where d.channel_id = n.channel_id and d.id = n.id and n.url is not null
    returning d.id, d.claim, d.url, ${bodyColumns(tx)},
      to_jsonb(array_remove(array[s.secret, case when s.previous_until > now() then s.previous_secret end], null))
        as secrets`
  return {
    claimed: claimed.map(({ id, claim, url, secrets, ...parts }) => {
      const { channel_id, interaction_id } = parts
      return { id, claim, channel_id, interaction_id, url, secrets, body: bodyOf(parts) }
    }),
    looked_at: queues.length,
  }
}

/** Does nothing while `holdWaiting` is at work: what waits is neither claimed nor closed meanwhile. */
async function unlessHolding(sql: Sql, work: (tx: Transaction) => Promise<void>): Promise<void> {
  await sql.begin(async tx => {
    // No wait for the disk: the mark before the first byte is durable, and with it all that came before.
    const [lock] = await tx<{ shared: boolean }[]>`
      select pg_try_advisory_xact_lock_shared(${holdingLock}) as shared,
        set_config('synchronous_commit', 'off', true)`
    if (lock?.shared) await work(tx)
  })
}

/**
 * The last step before the first byte goes out. False: the claim was given up meanwhile, or the database isn't that of
 * `history`, and nothing may be sent.
 */
export async function markSent(
  sql: Sql,
  { channel_id, id, claim }: Claimed,
  history: HistoryIdentity,
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

/** Closes what waits in channels whose URL was removed: there is nowhere to send it. */
export async function closeWithoutUrl(sql: Sql, channel_ids: readonly string[]): Promise<void> {
  await unlessHolding(sql, async tx => {
    const queues = await tx<{ channel_id: string }[]>`
      select q.channel_id from webhook_queues q join channels c on c.id = q.channel_id
      where q.channel_id = any(${[...channel_ids]}::uuid[]) and c.webhook_url is null for update of q skip locked`
    // A statement of its own: under the locks it sees all that was queued before them.
    await tx`
      with closed as (
        update webhook_deliveries set status = 'failed', error = ${URL_REMOVED}
        where channel_id = any(${queues.map(({ channel_id }) => channel_id)}::uuid[]) and status = 'pending'
        returning channel_id, number, created_at
      ), counted as (${countActivity(tx, failures(tx, tx`closed`))})
      update webhook_queues set ready = false
      where channel_id = any(${queues.map(({ channel_id }) => channel_id)}::uuid[])`
  })
}

/**
 * Holds what waits, for a database that may lack what was sent since: it is sent again only if its owner asks. What
 * may be on its way at this moment is closed as interrupted; what is queued from now on goes out as usual.
 */
export async function holdWaiting(tx: Sql | Transaction): Promise<void> {
  if ('begin' in tx) return tx.begin(holdWaiting)
  await tx`select pg_advisory_xact_lock(${holdingLock})`
  // A held delivery has no claim, so nobody can mark it as sent any more.
  await tx`
    with ended as (
      update webhook_deliveries set status = case when sent_at is null then 'held' else 'failed' end,
        error = case when sent_at is null then ${HELD} else ${INTERRUPTED} end,
        claim = case when sent_at is not null then claim end
      where status in ('pending', 'sending') returning channel_id, number, created_at, status
    ), counted as (${countActivity(tx, failures(tx, tx`(select * from ended where status = 'failed')`))})
    select`
  // Later deliveries of the channel don't wait for one that ended here.
  await tx`
    update webhook_queues q set sending = null, since = clock_timestamp()
    where sending is not null and not exists (
      select from webhook_deliveries d
      where d.channel_id = q.channel_id and d.id = q.sending and d.status = 'sending')`
}
