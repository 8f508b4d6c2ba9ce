// The queue of webhook deliveries. A channel's deliveries go out in order, one at a time. A claim is committed before
// anything is sent, and a delivery is marked as sent before its first byte, so no delivery is sent twice.
import { randomUUID } from 'node:crypto'
import type { DeliveryDetails } from '../../shared/delivery.ts'
import { DELIVERY_ERRORS } from '../../shared/delivery-errors.ts'
import type { Interaction, WebhookTrigger } from '../../shared/interaction.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { answeredColumn, type DecisionRecord, fullForm } from '../decisions/rows.ts'
import type { HistoryIdentity } from '../feed/log/history.ts'
import { countActivity, utcDayOf } from './activity.ts'
import { triggerColumn, withCardState } from './card-states.ts'
import { validSecrets } from './webhook-secrets.ts'

/** The error of a delivery that may have been sent, with an unknown outcome. */
export const INTERRUPTED = DELIVERY_ERRORS.interrupted

/** Taken exclusively to hold pending deliveries, so that none of them is claimed or closed meanwhile. */
export const HOLDING_LOCK = 0x63666877 // arbitrary

export type ClaimedDelivery = {
  id: string
  claim: string
  channel_id: string
  interaction_id: string
  url: string
  body: string
  secrets: string[]
}

type ReceivedResponse = Pick<
  DeliveryDetails,
  'response_code' | 'response_headers' | 'response_body' | 'error'
>
export type DeliveryResult = ReceivedResponse & {
  status: 'success' | 'failed'
  request_headers: Record<string, string>
  duration_ms: number
}

/**
 * `card_id`: the card's id when the interaction was queued. `answered`: the question, which has ended. `body`: only deliveries of
 * older releases stored it.
 */
export type BodyParts = Omit<Interaction, 'trigger'> & {
  trigger: WebhookTrigger
  answered?: DecisionRecord | null
  body?: string | null
}

/** The columns of `BodyParts`, of the delivery `d`, its interaction `i` and the card's state `cs`. */
export const bodyColumns = (sql: AnySql) => sql`
  i.interaction_id, d.channel_id, d.card_id, i.timestamp, ${triggerColumn(sql)} as trigger,
  cs.state as card_state, d.body,
  ${answeredColumn(sql)}`

/** The fields are in the order of the specification. The same interaction always gives the same bytes, at one `PUBLIC_URL`. */
export function bodyOf(parts: BodyParts, public_url: string): string {
  const { interaction_id, channel_id, card_id, timestamp, trigger, card_state, answered, body } = parts
  // Undefined for other interactions, so that their bodies don't have the field.
  const decision = answered ? fullForm({ ...answered, card_id }, public_url) : undefined
  const fields = { interaction_id, channel_id, card_id, timestamp, trigger, card_state, decision }
  return body ?? JSON.stringify(fields)
}

type NewDelivery = Pick<BodyParts, 'channel_id' | 'card_id' | 'body'> & {
  number: number
  attempts: number
  url: string
}

/** Returns the delivery's id. `number`: of the interaction. `attempts` numbers the interaction's deliveries. */
export async function queueDelivery(tx: Transaction, delivery: NewDelivery): Promise<string> {
  const id = randomUUID()
  await tx`
    with queue as (
      insert into webhook_queues as q (channel_id) values (${delivery.channel_id})
      on conflict (channel_id) do update set ready = true,
        since = case when q.ready then q.since else clock_timestamp() end
    )
    insert into webhook_deliveries ${tx({ id, ...delivery })}`
  return id
}

export type SlotUsage = {
  free: number
  owners: { owner_id: string; count: number }[]
  /** An owner here may have no more slots at the host. */
  busy: { owner_id: string; host: string }[]
  full: string[]
}

/** A channel with a pending delivery. `host`: null if the channel's URL was removed. */
export type WaitingChannel = { channel_id: string; owner_id: string; host: string | null }

/** First channels of the owner with the fewest slots, then those that waited longest; at most one per free slot. */
export async function readWaitingChannels(sql: AnySql, { free, owners, busy, full }: SlotUsage) {
  // The recursion finds each owner with one step in the index; `distinct` would read all queues. An owner with `count`
  // slots may take half of (free - count) more, and then holds as many as stay free.
  return sql<WaitingChannel[]>`
    with recursive owner (id) as (
      (select owner_id from webhook_queues where ready and sending is null order by owner_id limit 1)
      union all
      select (
        select owner_id from webhook_queues where ready and sending is null and owner_id > owner.id
        order by owner_id limit 1)
      from owner where owner.id is not null
    ), taken as (
      select * from json_to_recordset(${JSON.stringify(owners)}::text::json) as t (owner_id uuid, count integer)
    ), busy as (
      select * from json_to_recordset(${JSON.stringify(busy)}::text::json) as t (owner_id uuid, host text)
    ), waiting as (
      select q.*, coalesce(taken.count, 0) as count,
        row_number() over (partition by q.owner_id order by q.since) as nth
      from owner left join taken on taken.owner_id = owner.id cross join lateral (
        select q.channel_id, q.owner_id, q.since, c.webhook_host as host
        from webhook_queues q join channels c on c.id = q.channel_id
        where q.owner_id = owner.id and q.ready and q.sending is null and (c.webhook_host is null
          or (c.webhook_host <> all(${full}::text[])
            and (q.owner_id, c.webhook_host) not in (select owner_id, host from busy)))
        order by q.since limit ${Math.ceil(free / 2)}
      ) q
      where coalesce(taken.count, 0) < ${free}
    )
    select channel_id, owner_id, host from waiting
    where nth <= (${free} - count + 1) / 2 order by count + nth, since limit ${free}`
}

/** `claim`: a new id, for `releaseClaim`. `queues`: how many of these channels it could claim from. */
export async function claimDeliveries(
  sql: Sql,
  claim: string,
  channel_ids: readonly string[],
  public_url: string,
) {
  const result = await unlessHolding(sql, tx => claimInTransaction(tx, claim, channel_ids, public_url))
  return result ?? { claimed: [], queues: 0 }
}

export async function claimInTransaction(
  tx: Transaction,
  claim: string,
  channel_ids: readonly string[],
  public_url: string,
) {
  // The lock keeps the channels from being deleted meanwhile. Channels that are being deleted are skipped.
  const queues = await tx<{ channel_id: string }[]>`
    select q.channel_id from webhook_queues q join channels c on c.id = q.channel_id
    where q.channel_id = any(${[...channel_ids]}::uuid[]) and q.ready and q.sending is null
    for update of q skip locked for key share of c skip locked`
  if (queues.length === 0) return { claimed: [], queues: 0 }
  // A separate statement, so that it sees deliveries that were queued before the locks, and the channel's current URL. If the
  // URL was just removed, the delivery waits for `failWithoutUrl`.
  const rows = await tx<(Omit<ClaimedDelivery, 'body'> & BodyParts)[]>`
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
    returning d.id, d.claim, d.url, ${bodyColumns(tx)}, ${validSecrets(tx)} as secrets`
  const claimed = rows.map(({ id, claim, url, secrets, ...parts }) => {
    const { channel_id, interaction_id } = parts
    return { id, claim, channel_id, interaction_id, url, secrets, body: bodyOf(parts, public_url) }
  })
  return { claimed, queues: queues.length }
}

/** Returns null, without running `work`, while pending deliveries are being held. */
export async function unlessHolding<T>(sql: Sql, work: (tx: Transaction) => Promise<T>): Promise<T | null> {
  let result: T | null = null
  await sql.begin(async tx => {
    // This commit needn't wait for the disk, since the commit of `markSent` makes it durable before anything is sent.
    const [lock] = await tx<{ shared: boolean }[]>`
      select pg_try_advisory_xact_lock_shared(${HOLDING_LOCK}) as shared,
        set_config('synchronous_commit', 'off', true)`
    if (lock?.shared) result = await work(tx)
  })
  return result
}

/** Returns false if the delivery must not be sent: its claim ended, or the database lost the history that this instance has. */
export async function markSent(
  sql: Sql,
  { channel_id, id, claim }: ClaimedDelivery,
  history: HistoryIdentity,
) {
  const marked = await sql`
    update webhook_deliveries set sent_at = clock_timestamp()
    where channel_id = ${channel_id} and id = ${id} and claim = ${claim} and status = 'sending'
      and in_history(${history.identity}, ${history.generation})
    returning id`
  return marked.length === 1
}

export async function finishDelivery(
  sql: Sql,
  { channel_id, id, claim }: ClaimedDelivery,
  result: DeliveryResult,
): Promise<void> {
  const events = sql`
    select channel_id, day, ${result.status === 'success' ? 'delivered' : 'failed'} as what, 1 as count
    from finished where counts
    union all select channel_id, day, 'failed', -1 from finished where counts and given_up`
  // A delivery that was closed as interrupted still gets its true outcome. The commit needn't wait for the disk: if a power
  // cut undoes it, the delivery is closed as interrupted and never sent again.
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
      returning d.channel_id, d.id, ${utcDayOf(sql, 'd.created_at')} as day, b.given_up, b.counts
    ), counted as (${countActivity(sql, events)})
    update webhook_queues q set sending = null, since = clock_timestamp()
    from finished f, set_config('synchronous_commit', 'off', true) where q.channel_id = f.channel_id and q.sending = f.id`
}
