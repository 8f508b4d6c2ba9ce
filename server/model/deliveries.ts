// Webhook deliveries as the log shows them: queued with their interaction, and again on request. All are kept.
import { randomUUID } from 'node:crypto'
import type { Delivery, DeliveryDetails } from '../../shared/delivery.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { isLockTimeout } from '../database/unavailable.ts'
import { badRequest, notFound, tooManyRequests } from '../errors.ts'
import type { Claimed } from '../webhooks/queue.ts'
import { makeSecret, signingSecrets } from '../webhooks/secret.ts'
import { withCardState } from './card-states.ts'
import { enqueue } from './delivery-queue.ts'
import { type BodyParts, bodyColumns, bodyOf, type Sent, webhookBody } from './webhook-body.ts'

/** Attempts of one interaction that may wait at the same time: asking in a loop fills no disk. */
const ATTEMPTS_WAITING_MAX = 10
const RETRY_AFTER_S = 10

/**
 * Where the channel's webhooks go. Until the transaction ends the channel is not deleted. One that is being deleted is
 * not waited for: its many viewers would take all connections.
 */
export async function holdChannel(tx: Transaction, id: string): Promise<{ webhook_url: string | null }> {
  const [channel] = await tx<{ webhook_url: string | null }[]>`
    select webhook_url from channels where id = ${id} for key share nowait`
  if (!channel) throw notFound('Channel')
  return channel
}

const DELETION_MAX_MS = 2_000
const DELETION_PAUSE_MS = 100

/** Tries again while the channel is being deleted, without a connection in the meantime. Then most callers get 404. */
export async function pastDeletion<T>(attempt: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - began > DELETION_MAX_MS) throw error
      await new Promise(resolve => setTimeout(resolve, DELETION_PAUSE_MS))
    }
  }
}

/** Takes the next number of the channel's interactions: those of others wait until the transaction ends. */
export async function nextNumber(tx: Transaction, channel_id: string): Promise<number> {
  const [counter] = await tx<{ last: number }[]>`
    insert into interaction_counters (channel_id, last) values (${channel_id}, 1)
    on conflict (channel_id) do update set last = interaction_counters.last + 1 returning last`
  if (!counter) throw new Error('an upsert returns its row')
  return counter.last
}

/** Queues a first attempt. */
export async function queueDelivery(
  tx: Transaction,
  { channel_id, card_id }: Pick<Sent, 'channel_id' | 'card_id'>,
  number: number,
  url: string,
): Promise<void> {
  await makeSecret(tx, channel_id)
  await enqueue(tx, { channel_id, number, attempts: 1, url, card_id, body: null })
}

/** Queues another attempt with the same bytes. */
export async function queueRedelivery(
  sql: Sql,
  channel_id: string,
  interaction_id: string,
): Promise<Delivery> {
  const requeue = async (tx: Transaction) => {
    const { webhook_url: url } = await holdChannel(tx, channel_id)
    // The lock makes two requests at once count one after the other.
    const [interaction] = await tx<{ number: number; card_id: string | null }[]>`
      select number, card_id from interactions
      where channel_id = ${channel_id} and interaction_id = ${interaction_id} for update`
    if (!interaction) throw notFound('Interaction')
    if (url === null) throw badRequest('Channel has no webhook_url')
    const { number } = interaction
    const [last] = await tx<{ card_id: string | null; body: string | null; attempts: number }[]>`
      select card_id, body, attempts from webhook_deliveries
      where channel_id = ${channel_id} and number = ${number} order by place desc limit 1`
    const [{ waiting } = { waiting: 0 }] = await tx<{ waiting: number }[]>`
      select count(*) as waiting from webhook_deliveries
      where channel_id = ${channel_id} and number = ${number} and status = 'pending'`
    if (waiting >= ATTEMPTS_WAITING_MAX) throw tooManyRequests('Too many redeliveries', RETRY_AFTER_S)
    await makeSecret(tx, channel_id)
    const { card_id, body, attempts } = last ?? { card_id: interaction.card_id, body: null, attempts: 0 }
    return enqueue(tx, { channel_id, number, attempts: attempts + 1, url, card_id, body })
  }
  const id = await pastDeletion(() => sql.begin(requeue))
  const delivery = await getDelivery(sql, channel_id, id)
  if (!delivery) throw notFound('Channel')
  return delivery
}

/** The delivery of a viewer's own interaction, as far as a viewer may know: whether it arrived. */
export async function deliveryStatus(
  sql: Sql,
  channel_id: string,
  interaction_id: string,
): Promise<Pick<Delivery, 'status' | 'error'> | null> {
  const [latest] = await sql<Pick<Delivery, 'status' | 'error'>[]>`
    select case d.status when 'sending' then 'pending' else d.status end as status, d.error
    from interactions i join webhook_deliveries d using (channel_id, number)
    where i.channel_id = ${channel_id} and i.interaction_id = ${interaction_id} order by d.place desc limit 1`
  return latest ?? null
}

/** One attempt whole, as sent and as answered. */
export async function getDelivery(sql: Sql, channel_id: string, id: string): Promise<DeliveryDetails | null> {
  const [[delivery], [parts]] = await Promise.all([
    sql<Omit<DeliveryDetails, 'request_body'>[]>`
      select id, case status when 'sending' then 'pending' else status end as status, response_code, attempts,
        error, duration_ms, created_at,
        -- What waits goes to the URL that the channel has when it is sent.
        coalesce(case status when 'pending' then (select webhook_url from channels where id = channel_id) end, url) as url,
        request_headers, response_headers, response_body
      from webhook_deliveries where channel_id = ${channel_id} and id = ${id}`,
    sql<BodyParts[]>`
      select ${bodyColumns(sql)}
      from webhook_deliveries d join interactions i using (channel_id, number) ${withCardState(sql)}
      where d.channel_id = ${channel_id} and d.id = ${id}`,
  ])
  return delivery && parts ? { ...delivery, request_body: bodyOf(parts) } : null
}

/** The host that the channel's webhooks go to. */
export async function webhookHost(sql: Sql, channel_id: string): Promise<string> {
  const [channel] = await sql<{ webhook_host: string | null }[]>`
    select webhook_host from channels where id = ${channel_id}`
  if (!channel) throw notFound('Channel')
  if (channel.webhook_host === null) throw badRequest('Channel has no webhook_url')
  return channel.webhook_host
}

/** Logs a test and claims its delivery at once, past the queue: whoever asked waits for the result. */
export async function claimTest(sql: Sql, channel_id: string, now: number): Promise<Claimed> {
  return sql.begin(async tx => {
    const { webhook_url: url } = await holdChannel(tx, channel_id)
    if (url === null) throw badRequest('Channel has no webhook_url')
    const interaction_id = randomUUID()
    const timestamp = new Date(now).toISOString()
    const trigger = { type: 'test' }
    const body = webhookBody({
      interaction_id,
      channel_id,
      card_id: null,
      timestamp,
      trigger,
      card_state: null,
    })
    const number = await nextNumber(tx, channel_id)
    const id = randomUUID()
    await tx`
      insert into interactions (channel_id, number, interaction_id, type, trigger, timestamp)
      values (${channel_id}, ${number}, ${interaction_id}, 'test', ${JSON.stringify(trigger)}::text::json, ${timestamp})`
    await tx`
      insert into webhook_deliveries (channel_id, id, number, status, claim, claimed_at, url)
      values (${channel_id}, ${id}, ${number}, 'sending', ${id}, now(), ${url})`
    const secrets = await signingSecrets(tx, channel_id)
    return { id, claim: id, channel_id, interaction_id, url, body, secrets }
  })
}
