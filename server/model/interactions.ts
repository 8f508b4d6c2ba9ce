// Interactions as rows: what automations poll for.
import type { Interaction } from '../../shared/interaction.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { countActivity, dayOf } from './activity.ts'
import { deleteUnusedStates, hashState, withCardState } from './card-states.ts'
import type { ChannelFacts } from './channels.ts'
import { holdChannel, nextNumber, pastDeletion, queueDelivery } from './deliveries.ts'

/** With its number: the place in the channel's order of acceptance. */
export type NumberedInteraction = Interaction & { number: number }

/** Interactions `i` as they were logged, in a statement's `select`. */
const columns = (sql: Sql) => sql`
  i.interaction_id, i.channel_id, i.card_id, i.timestamp, i.trigger, cs.state as card_state`

/** Newest first, those before `before` (null: from the newest). Test deliveries are not among them. */
export async function listInteractions(
  sql: Sql,
  channel_id: string,
  limit: number,
  before: number | null,
): Promise<{ interactions: Interaction[]; next: number | null }> {
  const rows = await sql<NumberedInteraction[]>`
    select i.number, ${columns(sql)} from interactions i ${withCardState(sql)}
    where i.channel_id = ${channel_id} and i.number < ${before ?? Number.MAX_SAFE_INTEGER} and i.type <> 'test'
    order by i.number desc limit ${limit + 1}`
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
    select i.number, ${columns(sql)} from interactions i ${withCardState(sql)}
    where i.channel_id = ${channel_id} and i.number > ${after} and i.type <> 'test'
    order by i.number limit ${limit}`
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
  /** Nobody is shown who it was. */
  anonymous: boolean
}

type Recorded = Omit<Interaction, 'card_state'> & Pick<NewInteraction, 'card_state'>

/** The interaction with this id, wherever it is. */
export async function findInteraction(sql: Sql, interaction_id: string): Promise<Interaction | null> {
  const [row] = await sql<Interaction[]>`
    select ${columns(sql)} from interactions i ${withCardState(sql)} where i.interaction_id = ${interaction_id}`
  return row ?? null
}

/**
 * Logs it under the channel's next number, with its delivery where the channel has a webhook_url: all or nothing.
 * null: an interaction with this id exists already. 404 where the channel or the card was deleted meanwhile.
 */
export async function recordInteraction(sql: Sql, given: NewInteraction): Promise<Recorded | null> {
  const { channel_id, interaction_id, card_id, timestamp, trigger, card_state, user_id, anonymous } = given
  const record = async (tx: Transaction): Promise<Recorded | null> => {
    const { webhook_url } = await holdChannel(tx, channel_id)
    if (card_id !== null) {
      // A card that is deleted from now on releases this interaction too.
      const held = await tx`
        select from cards where channel_id = ${channel_id} and id = ${card_id} for key share`
      if (held.length === 0) throw notFound('Card')
    }
    const number = await nextNumber(tx, channel_id)
    const state = card_state && JSON.stringify(card_state)
    const [row] = await tx<Omit<Recorded, 'card_state'>[]>`
      with logged as (
        insert into interactions
          (channel_id, number, interaction_id, card_id, type, trigger, card_state_hash, user_id, anonymous, timestamp)
        values (${channel_id}, ${number}, ${interaction_id}, ${card_id}, ${trigger.type},
          ${JSON.stringify(trigger)}::text::json, ${state && hashState(state)}, ${user_id}, ${anonymous}, ${timestamp})
        on conflict (interaction_id) do nothing
        returning interaction_id, channel_id, card_id, timestamp, trigger, card_state_hash, created_at
      ), kept as (
        insert into card_states (channel_id, hash, state)
        select channel_id, card_state_hash, ${state}::text::json from logged where card_state_hash is not null
        on conflict do nothing
      ), counted as (${countActivity(
        tx,
        tx`select channel_id, ${dayOf(tx, 'created_at')} as day, 'interaction' as what, 1 as count from logged`,
      )})
      select interaction_id, channel_id, card_id, timestamp, trigger from logged`
    // A number that nobody uses does no harm.
    if (!row) return null
    if (webhook_url !== null) await queueDelivery(tx, row, number, webhook_url)
    return { ...row, card_state }
  }
  return pastDeletion(() => sql.begin(record))
}

export type LogFilter = { type: string | null; status: string | null }

/** The owner's log: newest first, each with its deliveries, newest attempt first. Tests are in it. */
export async function readInteractionLog(
  sql: Sql,
  { id: channel_id, owner_id }: Pick<ChannelFacts, 'id' | 'owner_id'>,
  limit: number,
  before: number | null,
  { type, status }: LogFilter,
): Promise<{ interactions: LoggedInteraction[]; next: number | null }> {
  const rows = await sql<(LoggedInteraction & { number: number })[]>`
    select i.number, ${columns(sql)},
      case when u.id = ${owner_id} then json_build_object('id', u.id, 'name', u.name, 'email', u.email) end as "user",
      json_build_object(
        'kind', case when u.id is null then 'anonymous' when u.id = ${owner_id} then 'owner' else 'user' end,
        'name', u.name, 'user_id', u.id) as by,
      coalesce(d.deliveries, '[]') as deliveries
    from interactions i ${withCardState(sql)} left join users u on u.id = i.user_id and not i.anonymous
    left join lateral (
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

/** Nothing of the interaction `i` waits to be sent. */
const isSettled = (sql: Sql | Transaction) => sql`
  not exists (
    select from webhook_deliveries d
    where d.channel_id = i.channel_id and d.number = i.number and d.status in ('pending', 'sending'))`

const SWEPT_AT_ONCE = 1_000

/** Lets go of interactions older than so many days, with their deliveries; of none that still waits to be sent. */
export async function deleteOldInteractions(sql: Sql, days: number): Promise<void> {
  for (let found = SWEPT_AT_ONCE; found === SWEPT_AT_ONCE; ) {
    const old = await sql<{ channel_id: string; numbers: number[] }[]>`
      select channel_id, json_agg(number) as numbers from (
        select channel_id, number from interactions i
        where created_at < now() - ${days} * interval '1 day' and ${isSettled(sql)}
        order by created_at limit ${SWEPT_AT_ONCE}
      ) old group by channel_id`
    for (const { channel_id, numbers } of old) await deleteNumbers(sql, channel_id, numbers)
    found = old.reduce((sum, { numbers }) => sum + numbers.length, 0)
  }
}

/** One transaction per channel: holding one counter at a time, it can't deadlock with the deletion of several channels. */
function deleteNumbers(sql: Sql, channel_id: string, numbers: number[]): Promise<void> {
  return sql.begin(async tx => {
    await tx`select from interaction_counters where channel_id = ${channel_id} for update`
    const deleted = await tx<{ hash: string | null }[]>`
      delete from interactions i where channel_id = ${channel_id} and ${isSettled(tx)}
        and number in (select value::bigint from json_array_elements_text(${JSON.stringify(numbers)}::text::json))
      returning encode(card_state_hash, 'hex') as hash`
    const hashes = new Set(deleted.flatMap(({ hash }) => (hash === null ? [] : [hash])))
    await deleteUnusedStates(tx, channel_id, [...hashes])
  })
}
