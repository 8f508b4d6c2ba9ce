// Interactions as rows: what automations poll for.
import type { Interaction } from '../../shared/interaction.ts'
import type { User } from '../../shared/user.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { countActivity, dayOf } from './activity.ts'
import { type Delivery, holdChannel, nextNumber, queueDelivery } from './deliveries.ts'

/** With its number: the place in the channel's order of acceptance. */
export type NumberedInteraction = Interaction & { number: number }

/** Newest first, those before `before` (null: from the newest). Test deliveries are not among them. */
export async function listInteractions(
  sql: Sql,
  channel_id: string,
  limit: number,
  before: number | null,
): Promise<{ interactions: Interaction[]; next: number | null }> {
  const rows = await sql<NumberedInteraction[]>`
    select number, interaction_id, channel_id, card_id, timestamp, trigger, card_state from interactions
    where channel_id = ${channel_id} and number < ${before ?? Number.MAX_SAFE_INTEGER} and type <> 'test'
    order by number desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  return {
    interactions: page.map(withoutNumber),
    next: rows.length > limit ? (page.at(-1)?.number ?? null) : null,
  }
}

/** Oldest first, up to `limit` of those after `after`. */
export async function interactionsAfter(
  sql: Sql,
  channel_id: string,
  after: number,
  limit: number,
): Promise<NumberedInteraction[]> {
  return sql<NumberedInteraction[]>`
    select number, interaction_id, channel_id, card_id, timestamp, trigger, card_state from interactions
    where channel_id = ${channel_id} and number > ${after} and type <> 'test' order by number limit ${limit}`
}

export async function lastInteraction(sql: Sql, channel_id: string): Promise<number> {
  const [counter] = await sql<{ last: number }[]>`
    select last from interaction_counters where channel_id = ${channel_id}`
  return counter?.last ?? 0
}

export function withoutNumber({ number: _, ...interaction }: NumberedInteraction): Interaction {
  return interaction
}

/** What is to be recorded. */
export type NewInteraction = Omit<Interaction, 'trigger' | 'card_state'> & {
  trigger: { type: string }
  card_state: unknown[] | null
  user_id: string | null
}

/** The interaction with this id, wherever it is. */
export async function findInteraction(sql: Sql, interaction_id: string): Promise<Interaction | null> {
  const [row] = await sql<Interaction[]>`
    select interaction_id, channel_id, card_id, timestamp, trigger, card_state from interactions
    where interaction_id = ${interaction_id}`
  return row ?? null
}

/**
 * Logs it under the channel's next number, with its delivery where the channel has a webhook_url: all or nothing.
 * null: an interaction with this id exists already. 404 where the channel or the card was deleted meanwhile.
 */
export async function recordInteraction(sql: Sql, given: NewInteraction): Promise<Interaction | null> {
  const { channel_id, interaction_id, card_id, timestamp, trigger, card_state, user_id } = given
  return sql.begin(async tx => {
    const { webhook_url } = await holdChannel(tx, channel_id)
    if (card_id !== null) {
      // A card that is deleted from now on releases this interaction too.
      const held = await tx`
        select from cards where channel_id = ${channel_id} and id = ${card_id} for key share`
      if (held.length === 0) throw notFound('Card')
    }
    const number = await nextNumber(tx, channel_id)
    const [row] = await tx<Interaction[]>`
      with logged as (
        insert into interactions (channel_id, number, interaction_id, card_id, type, trigger, card_state, user_id, timestamp)
        values (${channel_id}, ${number}, ${interaction_id}, ${card_id}, ${trigger.type},
          ${JSON.stringify(trigger)}::text::json, ${card_state && JSON.stringify(card_state)}::text::json, ${user_id}, ${timestamp})
        on conflict (interaction_id) do nothing
        returning interaction_id, channel_id, card_id, timestamp, trigger, card_state, created_at
      ), counted as (${countActivity(
        tx,
        tx`select channel_id, ${dayOf(tx, 'created_at')} as day, 'interaction' as what, 1 as count from logged`,
      )})
      select interaction_id, channel_id, card_id, timestamp, trigger, card_state from logged`
    // A number that nobody uses does no harm.
    if (!row) return null
    if (webhook_url !== null) await queueDelivery(tx, row, number, webhook_url)
    return row
  })
}

/** `user`: who acted, where they were signed in. */
export type LoggedInteraction = Interaction & { user: User | null; deliveries: Delivery[] }
export type LogFilter = { type: string | null; status: string | null }

/** The owner's log: newest first, each with its deliveries, newest attempt first. Tests are in it. */
export async function readInteractionLog(
  sql: Sql,
  channel_id: string,
  limit: number,
  before: number | null,
  { type, status }: LogFilter,
): Promise<{ interactions: LoggedInteraction[]; next: number | null }> {
  const rows = await sql<(LoggedInteraction & { number: number })[]>`
    select i.number, i.interaction_id, i.channel_id, i.card_id, i.timestamp, i.trigger, i.card_state,
      (select json_build_object('id', id, 'name', name, 'email', email) from users where id = i.user_id) as "user",
      coalesce(d.deliveries, '[]') as deliveries
    from interactions i left join lateral (
      select json_agg(json_build_object('id', id, 'status', case status when 'sending' then 'pending' else status end,
          'response_code', response_code, 'attempts', attempts, 'error', error, 'duration_ms', duration_ms,
          'created_at', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by place desc) as deliveries,
        (array_agg(case status when 'sending' then 'pending' else status end order by place desc))[1] as latest
      from webhook_deliveries where channel_id = i.channel_id and number = i.number
    ) d on true
    where i.channel_id = ${channel_id} and i.number < ${before ?? Number.MAX_SAFE_INTEGER}
      and (${type}::text is null or i.type = ${type}) and (${status}::text is null or d.latest = ${status})
    order by i.number desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  return {
    interactions: page.map(({ number: _, ...interaction }) => interaction),
    next: rows.length > limit ? (page.at(-1)?.number ?? null) : null,
  }
}

const SWEPT_AT_ONCE = 5_000

/** Lets go of interactions older than so many days, with their deliveries; of none that still waits to be sent. */
export async function deleteOldInteractions(sql: Sql, days: number): Promise<void> {
  for (let deleted = SWEPT_AT_ONCE; deleted === SWEPT_AT_ONCE; ) {
    const { count } = await sql`
      delete from interactions where (channel_id, number) in (
        select channel_id, number from interactions i
        where created_at < now() - ${days} * interval '1 day' and not exists (
          select from webhook_deliveries d
          where d.channel_id = i.channel_id and d.number = i.number and d.status in ('pending', 'sending'))
        order by created_at limit ${SWEPT_AT_ONCE})`
    deleted = count
  }
}
