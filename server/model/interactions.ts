// Records interactions with their deliveries, lists them for automations, and deletes old ones.
import { cardState } from '../../shared/card-state.ts'
import type { FilledCard } from '../../shared/form-block.ts'
import type { Interaction, ListedInteraction } from '../../shared/interaction.ts'
import { LIST_MAX_BYTES } from '../../shared/limits.ts'
import type { AnySql, Sql, Transaction } from '../database/connect.ts'
import { selectUpTo } from '../database/select-up-to.ts'
import { isLockTimeout } from '../database/unavailable.ts'
import { answeredColumn, type DecisionRecord, fullForm } from '../decisions/rows.ts'
import { notFound } from '../errors.ts'
import { countActivity, type Fragment, utcDayOf } from './activity.ts'
import { beginFor } from './begin-for.ts'
import { type ByteBudget, countBytes } from './byte-budget.ts'
import {
  deleteUnusedStates,
  storedBytes,
  storedState,
  storedTrigger,
  storeState,
  triggerColumn,
  withCardState,
} from './card-states.ts'
import { queueDelivery } from './delivery-queue.ts'
import { ensureSecret } from './webhook-secrets.ts'

/** `number` counts the channel's interactions in order of acceptance. */
export type NumberedInteraction = Interaction & { number: number }

const selectInteractions = (sql: Sql, condition: Fragment) => sql<NumberedInteraction[]>`
  select i.number, ${interactionColumns(sql)} from interactions i ${withCardState(sql)} where ${condition}`

/** Adds `decision` to interactions that answered a question. */
export function interactionWithDecision<T extends { answered: DecisionRecord | null }>(
  { answered, ...interaction }: T,
  public_url: string,
) {
  return answered ? { ...interaction, decision: fullForm(answered, public_url) } : interaction
}

/** The columns of the interaction `i` and its card's state `cs`. */
export const interactionColumns = (sql: Sql) => sql`
  i.interaction_id, i.channel_id, i.card_id, i.timestamp, ${triggerColumn(sql)} as trigger,
  cs.state as card_state`

export async function listInteractions(
  sql: Sql,
  channel_id: string,
  limit: number,
  before: number | null,
  public_url: string,
): Promise<{ interactions: ListedInteraction[]; next: number | null }> {
  const isOlder = sql`i.number < ${before ?? Number.MAX_SAFE_INTEGER}`
  const part = { limit, order: sql`number desc`, max_bytes: LIST_MAX_BYTES }
  const { rows, more } = await readListed(sql, channel_id, isOlder, part)
  return {
    interactions: rows.map(row => interactionWithDecision(withoutNumber(row), public_url)),
    next: more ? (rows.at(-1)?.number ?? null) : null,
  }
}

/** At most `limit` interactions, oldest first. The one that reaches `max_bytes` is the last. */
export async function interactionsAfter(
  sql: Sql,
  channel_id: string,
  after: number,
  { limit, max_bytes }: { limit: number; max_bytes: number },
  public_url: string,
): Promise<(ListedInteraction & { number: number })[]> {
  const isNewer = sql`i.number > ${after}`
  const { rows } = await readListed(sql, channel_id, isNewer, { limit, order: sql`number`, max_bytes })
  return rows.map(row => interactionWithDecision(row, public_url))
}

/** Of an interaction with its card's state. */
export const interactionBytes = (sql: Sql) => sql`
  octet_length(trigger::text) + coalesce(octet_length(card_state::text), 0)`

type Listed = NumberedInteraction & { answered: DecisionRecord | null }

const readListed = (
  sql: Sql,
  channel_id: string,
  condition: Fragment,
  part: { limit: number; order: Fragment; max_bytes: number },
) =>
  selectUpTo<Listed>(
    sql,
    sql`
      select i.number, ${interactionColumns(sql)}, ${answeredColumn(sql)} from interactions i ${withCardState(sql)}
      where i.channel_id = ${channel_id} and i.type <> 'test' and ${condition}`,
    { bytes: interactionBytes(sql), ...part },
  )

export async function lastInteraction(sql: Sql, channel_id: string): Promise<number> {
  const [counter] = await sql<{ last: number }[]>`
    select last from interaction_counters where channel_id = ${channel_id}`
  return counter?.last ?? 0
}

export function withoutNumber<T extends { number: number }>({ number: _, ...interaction }: T) {
  return interaction
}

export async function findInteraction(sql: Sql, interaction_id: string): Promise<Interaction | null> {
  const [found] = await selectInteractions(sql, sql`i.interaction_id = ${interaction_id}`)
  return found ? withoutNumber(found) : null
}

/**
 * `anonymous`: the log doesn't show the user. `decision_id`: the question that it answers, or that expired. `agent`: pressed
 * with an API key.
 */
export type NewInteraction = Omit<Interaction, 'card_state'> & {
  card: FilledCard | null
  user_id: string | null
  anonymous: boolean
  decision_id?: string | null
  agent?: { api_key_id: string; name: string } | null
}

/** Returns null if an interaction with this id exists. `budget`: null if the interaction doesn't count. */
export function recordInteraction(sql: Sql, interaction: NewInteraction, budget: ByteBudget | null = null) {
  const from = budget?.owner_id ?? interaction.channel_id
  const record = async (tx: Transaction) => {
    const logged = await logInteraction(tx, interaction)
    if (logged && budget) await countBytes(tx, budget, logged.bytes)
    return logged?.interaction ?? null
  }
  return retryDuringDeletion(() => beginFor(sql, from, record))
}

type RecordedFields = Pick<Interaction, 'interaction_id' | 'channel_id' | 'card_id' | 'timestamp'>

/** The same, in a transaction that may write more. `bytes` isn't counted yet: see "Lock order" in connect.ts. */
export async function logInteraction(
  tx: Transaction,
  interaction: NewInteraction,
): Promise<{ interaction: Interaction; bytes: number } | null> {
  const { channel_id, interaction_id, card_id, timestamp, trigger, card, user_id, anonymous } = interaction
  const { decision_id = null, agent = null } = interaction
  const state = card && storedState(card)
  const stored_trigger = storedTrigger(trigger, state !== null)
  const { webhook_url } = await lockChannel(tx, channel_id)
  if (card_id !== null) {
    // With this lock, a later deletion of the card also clears this interaction's `card_id`.
    const found = await tx`
      select from cards where channel_id = ${channel_id} and id = ${card_id} for key share`
    if (found.length === 0) throw notFound('Card')
  }
  const number = await nextNumber(tx, channel_id)
  const events = tx`
    select channel_id, ${utcDayOf(tx, 'created_at')} as day, 'interaction' as what, 1 as count from logged`
  const [recorded] = await tx<(RecordedFields & { is_new_state: boolean })[]>`
    with logged as (
      insert into interactions
        (channel_id, number, interaction_id, card_id, type, trigger, card_state_hash, user_id, anonymous, timestamp,
          decision_id, api_key_id, agent_name)
      values (${channel_id}, ${number}, ${interaction_id}, ${card_id}, ${trigger.type},
        ${stored_trigger}::text::json, ${state === null ? null : state.hash}, ${user_id}, ${anonymous}, ${timestamp},
        ${decision_id}, ${agent?.api_key_id ?? null}, ${agent?.name ?? null})
      on conflict (interaction_id) do nothing
      returning interaction_id, channel_id, card_id, timestamp, created_at
    )${state ? tx`, ${storeState(tx, state)}` : tx``}, counted as (${countActivity(tx, events)})
    select interaction_id, channel_id, card_id, timestamp,
      ${state ? tx`exists (select from base)` : tx`false`} as is_new_state from logged`
  if (!recorded) return null
  const { is_new_state, ...fields } = recorded
  if (webhook_url !== null) {
    await ensureSecret(tx, channel_id)
    await queueDelivery(tx, { channel_id, number, attempts: 1, url: webhook_url, card_id, body: null })
  }
  return {
    interaction: { ...fields, trigger, card_state: card && cardState(card.blocks, card.values) },
    bytes: storedBytes(stored_trigger, state, is_new_state),
  }
}

/** Keeps the channel from being deleted until the transaction ends. Throws a lock timeout if it is being deleted. */
export async function lockChannel(tx: Transaction, id: string): Promise<{ webhook_url: string | null }> {
  const [channel] = await tx<{ webhook_url: string | null }[]>`
    select webhook_url from channels where id = ${id} for key share nowait`
  if (!channel) throw notFound('Channel')
  return channel
}

const DELETION_MAX_MS = 2_000
const DELETION_PAUSE_MS = 100

/** Waiting for the deletion's lock instead would let the viewers of one channel occupy all connections. */
export async function retryDuringDeletion<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now()
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() - began > DELETION_MAX_MS) throw error
      await new Promise(resolve => setTimeout(resolve, DELETION_PAUSE_MS))
    }
  }
}

/** Takes the channel's next number. Other interactions of the channel wait until the transaction ends. */
export async function nextNumber(tx: Transaction, channel_id: string): Promise<number> {
  const [counter] = await tx<{ last: number }[]>`
    insert into interaction_counters (channel_id, last) values (${channel_id}, 1)
    on conflict (channel_id) do update set last = interaction_counters.last + 1 returning last`
  if (!counter) throw new Error('an upsert returns its row')
  return counter.last
}

const isSettled = (sql: AnySql) => sql`
  not exists (
    select from webhook_deliveries d
    where d.channel_id = i.channel_id and d.number = i.number and d.status in ('pending', 'sending'))`

const DELETED_AT_ONCE = 1_000

export async function deleteOldInteractions(sql: Sql, days: number): Promise<void> {
  for (let found = DELETED_AT_ONCE; found === DELETED_AT_ONCE; ) {
    const old = await sql<{ channel_id: string; numbers: number[] }[]>`
      select channel_id, json_agg(number) as numbers from (
        select channel_id, number from interactions i
        where created_at < now() - ${days} * interval '1 day' and ${isSettled(sql)}
        order by created_at limit ${DELETED_AT_ONCE}
      ) old group by channel_id`
    for (const { channel_id, numbers } of old) await deleteNumbers(sql, channel_id, numbers)
    found = old.reduce((sum, { numbers }) => sum + numbers.length, 0)
  }
}

/** Locks the counter of one channel only, which avoids deadlocks with the deletion of several channels. */
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
