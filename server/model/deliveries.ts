// The log of a channel, for its owner and editors: interactions with their deliveries, redeliveries and webhook tests.
import { randomUUID } from 'node:crypto'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { LIST_MAX_BYTES } from '../../shared/limits.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { selectUpTo } from '../database/select-up-to.ts'
import { answeredColumn, type DecisionRecord } from '../decisions/rows.ts'
import { apiError, notFound, tooMany } from '../errors.ts'
import { beginFor } from './begin-for.ts'
import { triggerColumn, withCardState } from './card-states.ts'
import type { ChannelFacts } from './channels.ts'
import { type BodyParts, bodyColumns, bodyOf, type ClaimedDelivery, queueDelivery } from './delivery-queue.ts'
import {
  interactionBytes,
  interactionColumns,
  interactionWithDecision,
  lockChannel,
  nextNumber,
  retryDuringDeletion,
  withoutNumber,
} from './interactions.ts'
import { ensureSecret, readValidSecrets } from './webhook-secrets.ts'

/** Per interaction, so that redelivering in a loop doesn't fill the disk. */
const PENDING_MAX = 10
const RETRY_AFTER_S = 10

/** The log shows a delivery `d` as pending until it ends. */
const loggedStatus = (sql: Sql) => sql`case d.status when 'sending' then 'pending' else d.status end`

/** `search` is found in what a person did and in their name; `from` and `to` (excluded) are times. */
export type LogFilter = Record<'type' | 'status' | 'search' | 'from' | 'to', string | null>

const hasWords = (sql: Sql, search: string | null) => sql`(${search}::text is null or strpos(
  lower(concat_ws(' ', ${triggerColumn(sql)}->>'label', i.trigger->>'text', i.trigger->>'block_id', i.trigger->>'value',
    i.agent_name, u.name)),
  lower(${search})) > 0)`

type Logged = LoggedInteraction & { number: number; answered: DecisionRecord | null }

export async function readInteractionLog(
  sql: Sql,
  { id: channel_id, workspace_id, owner_id }: ChannelFacts,
  limit: number,
  before: number | null,
  { type, status, search, from, to }: LogFilter,
  public_url: string,
): Promise<{ interactions: LoggedInteraction[]; next: number | null }> {
  /** By the role of today; null for people who don't show their name. */
  const kind = sql`case when u.id = ${owner_id} then 'owner' when m.user_id is not null then 'member'
    when u.id is not null then 'user' end`
  const matching = sql`
    select i.number, ${interactionColumns(sql)}, ${answeredColumn(sql)},
      case when ${kind} <> 'user' then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "user",
      json_build_object(
        'kind', case when i.agent_name is not null then 'agent' else coalesce(${kind}, 'anonymous') end,
        'name', coalesce(i.agent_name, u.name), 'user_id', u.id) as by,
      coalesce(d.deliveries, '[]') as deliveries
    from interactions i ${withCardState(sql)} left join users u on u.id = i.user_id and not i.anonymous
    left join workspace_members m on m.workspace_id = ${workspace_id} and m.user_id = u.id
    left join lateral (
      select json_agg(json_build_object('id', id, 'status', ${loggedStatus(sql)},
          'response_code', response_code, 'attempts', attempts, 'error', error, 'duration_ms', duration_ms,
          'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by place desc) as deliveries,
        (array_agg(${loggedStatus(sql)} order by place desc))[1] as latest
      from webhook_deliveries d where channel_id = i.channel_id and number = i.number
    ) d on true
    where i.channel_id = ${channel_id} and i.number < ${before ?? Number.MAX_SAFE_INTEGER}
      and (${type}::text is null or i.type = ${type}) and (${status}::text is null or d.latest = ${status})
      and (${from}::timestamptz is null or i.timestamp >= ${from}) and (${to}::timestamptz is null or i.timestamp < ${to})
      and ${hasWords(sql, search)}`
  const { rows, more } = await selectUpTo<Logged>(sql, matching, {
    bytes: interactionBytes(sql),
    order: sql`number desc`,
    limit,
    max_bytes: LIST_MAX_BYTES,
  })
  return {
    interactions: rows.map(row => interactionWithDecision(withoutNumber(row), public_url)),
    next: more ? (rows.at(-1)?.number ?? null) : null,
  }
}

export async function readDeliveryStatus(sql: Sql, channel_id: string, interaction_id: string) {
  const [latest] = await sql<Pick<Delivery, 'status' | 'error'>[]>`
    select ${loggedStatus(sql)} as status, d.error
    from interactions i join webhook_deliveries d using (channel_id, number)
    where i.channel_id = ${channel_id} and i.interaction_id = ${interaction_id} order by d.place desc limit 1`
  return latest ?? null
}

export async function getDelivery(
  sql: Sql,
  channel_id: string,
  id: string,
  public_url: string,
): Promise<DeliveryDetails | null> {
  const [[delivery], [parts]] = await Promise.all([
    sql<Omit<DeliveryDetails, 'request_body'>[]>`
      select id, ${loggedStatus(sql)} as status, response_code, attempts, error, duration_ms, created_at,
        -- A pending delivery goes to the channel's current URL.
        coalesce(case status when 'pending' then (select webhook_url from channels where id = channel_id) end, url) as url,
        request_headers, response_headers, response_body
      from webhook_deliveries d where channel_id = ${channel_id} and id = ${id}`,
    sql<BodyParts[]>`
      select ${bodyColumns(sql)}
      from webhook_deliveries d join interactions i using (channel_id, number) ${withCardState(sql)}
      where d.channel_id = ${channel_id} and d.id = ${id}`,
  ])
  return delivery && parts ? { ...delivery, request_body: bodyOf(parts, public_url) } : null
}

export async function queueRedelivery(
  sql: Sql,
  { id: channel_id, owner_id }: ChannelFacts,
  interaction_id: string,
  public_url: string,
) {
  const requeue = async (tx: Transaction) => {
    const { webhook_url: url } = await lockChannel(tx, channel_id)
    // The lock makes concurrent redeliveries count each other.
    const [interaction] = await tx<{ number: number; card_id: string | null }[]>`
      select number, card_id from interactions
      where channel_id = ${channel_id} and interaction_id = ${interaction_id} for update`
    if (!interaction) throw notFound('Interaction')
    if (url === null) throw noWebhook()
    const { number } = interaction
    const [last] = await tx<
      { card_id: string | null; body: string | null; attempts: number; pending: number }[]
    >`
      select card_id, body, attempts, count(*) filter (where status = 'pending') over () as pending
      from webhook_deliveries
      where channel_id = ${channel_id} and number = ${number} order by place desc limit 1`
    const none = { card_id: interaction.card_id, body: null, attempts: 0, pending: 0 }
    const { card_id, body, attempts, pending } = last ?? none
    if (pending >= PENDING_MAX) throw tooMany('too_many_redeliveries', RETRY_AFTER_S)
    await ensureSecret(tx, channel_id)
    return queueDelivery(tx, { channel_id, number, attempts: attempts + 1, url, card_id, body })
  }
  const id = await retryDuringDeletion(() => beginFor(sql, owner_id, requeue))
  const delivery = await getDelivery(sql, channel_id, id, public_url)
  if (!delivery) throw notFound('Channel')
  return delivery
}

export async function webhookHost(sql: Sql, channel_id: string): Promise<string> {
  const [channel] = await sql<{ webhook_host: string | null }[]>`
    select webhook_host from channels where id = ${channel_id}`
  if (!channel) throw notFound('Channel')
  if (channel.webhook_host === null) throw noWebhook()
  return channel.webhook_host
}

/** Logs a webhook test and claims its delivery past the queue, since the owner waits for the outcome. */
export async function claimTest(sql: Sql, channel_id: string, now: number): Promise<ClaimedDelivery> {
  return sql.begin(async tx => {
    const { webhook_url: url } = await lockChannel(tx, channel_id)
    if (url === null) throw noWebhook()
    const [id, interaction_id] = [randomUUID(), randomUUID()]
    const timestamp = new Date(now).toISOString()
    const trigger = { type: 'test' as const }
    const number = await nextNumber(tx, channel_id)
    await tx`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      values (${channel_id}, ${number}, ${interaction_id}, 'test', ${JSON.stringify(trigger)}::text::json, ${timestamp})`
    await tx`
      insert into webhook_deliveries (channel_id, id, number, status, claim, claimed_at, url)
      values (${channel_id}, ${id}, ${number}, 'sending', ${id}, now(), ${url})`
    const test = { interaction_id, channel_id, card_id: null, timestamp, trigger, card_state: null }
    const body = bodyOf(test, '')
    const secrets = await readValidSecrets(tx, channel_id)
    return { id, claim: id, channel_id, interaction_id, url, body, secrets }
  })
}

const noWebhook = () => apiError('no_webhook')
