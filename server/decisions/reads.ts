// Reads decisions for those who run a channel: a channel's list, a card's current ones, and those that requests wait for.
import type { PlacedCard } from '../../shared/card.ts'
import type { DECISION_STATES, FullDecision } from '../../shared/decision.ts'
import { decisionAt, isQuestionBlock } from '../../shared/decision-rules.ts'
import type { SignedDecision } from '../../shared/signed-decision.ts'
import type { Sql } from '../database/connect.ts'
import { takeRows } from '../database/take-rows.ts'
import { invalid, notFound } from '../errors.ts'
import { type DecisionRecord, fullForm, recordColumns, selectDecisions } from './rows.ts'

export type DecisionFilter = { state: (typeof DECISION_STATES)[number] | null; key: string | null }
type Awaited = { channel_id: string; id: string; ended: boolean }

/** Throws 404 if the channel has no such decision. Ended decisions are found until retention removes them. */
export async function getDecision(sql: Sql, channel_id: string, id: string | null): Promise<DecisionRecord> {
  const [found] =
    id === null ? [] : await selectDecisions(sql, sql`channel_id = ${channel_id} and id = ${id}`)
  if (!found) throw notFound('Decision')
  return found
}

/** Throws 404 if the question isn't decided, or was decided before decisions were signed. */
export async function getSignedDecision(
  sql: Sql,
  channel_id: string,
  id: string | null,
): Promise<SignedDecision> {
  const found = await getDecision(sql, channel_id, id)
  const [signed] = await sql<SignedDecision[]>`
    select jws, signed_card as card, signed_values as values from decisions
    where channel_id = ${channel_id} and id = ${found.decision.id} and jws is not null`
  if (!signed) throw notFound('Signature')
  return signed
}

/** The decision that the interaction made. */
export async function findDecisionOf(sql: Sql, interaction_id: string): Promise<DecisionRecord | null> {
  const made = sql`select decision_id from interactions where interaction_id = ${interaction_id}`
  const channel = sql`select channel_id from interactions where interaction_id = ${interaction_id}`
  const [found] = await selectDecisions(sql, sql`channel_id = (${channel}) and id = (${made})`)
  return found ?? null
}

/** A decision counts as expired from its deadline on, even before that is written. */
export function fullFormAt(record: DecisionRecord, now: number, public_url: string): FullDecision {
  return fullForm({ ...record, decision: decisionAt(record.decision, now) }, public_url)
}

/** Newest first. */
export async function listDecisions(
  sql: Sql,
  channel_id: string,
  { state, key }: DecisionFilter,
  now: number,
  limit: number,
  before: number | null,
) {
  const at = new Date(now).toISOString()
  const is_overdue = sql`(state = 'waiting' and expires_at <= ${at})`
  const is_in_state =
    state === 'waiting'
      ? sql`state = 'waiting' and not coalesce(${is_overdue}, false)`
      : state === 'expired'
        ? sql`(state = 'expired' or ${is_overdue})`
        : sql`(${state}::text is null or state = ${state})`
  const found = await selectDecisions(
    sql,
    sql`channel_id = ${channel_id} and number < ${before ?? Number.MAX_SAFE_INTEGER} and ${is_in_state}
      and (${key}::text is null or key = ${key}) order by number desc limit ${limit + 1}`,
  )
  const { rows, next } = takeRows(found, limit, ({ number }) => number)
  return { decisions: rows, next }
}

/** The current decision of a card. `block_id` is needed if the card has several. */
export async function getCardDecision(
  sql: Sql,
  { channel_id, blocks }: PlacedCard,
  block_id: string | undefined,
): Promise<DecisionRecord> {
  const questions = blocks.filter(isQuestionBlock)
  if (block_id === undefined && questions.length > 1)
    throw invalid('block', `is required: the card has ${questions.length} decisions`, 'field_required')
  const chosen = block_id === undefined ? questions[0] : questions.find(({ id }) => id === block_id)
  if (!chosen) throw notFound('Decision')
  return getDecision(sql, channel_id, chosen.decision.id)
}

/** Those marked `ended` only if they have ended. */
export function readAwaited(sql: Sql, awaited: readonly Awaited[]): Promise<DecisionRecord[]> {
  const channel_ids = awaited.map(({ channel_id }) => channel_id)
  const ids = awaited.map(({ id }) => id)
  const whens = awaited.map(({ ended }) => (ended ? 'ended' : 'now'))
  return sql<DecisionRecord[]>`
    select ${recordColumns(sql)}
    from unnest(${channel_ids}::uuid[], ${ids}::uuid[], ${whens}::text[]) as a (channel_id, id, "when")
    join decisions d using (channel_id, id) where a."when" = 'now' or d.state <> 'waiting'`
}

const LISTED_MAX = 200

const isListedNow = (sql: Sql, channel_id: string, now: number) => sql`
  d.channel_id = ${channel_id} and d.state = 'waiting' and d.decision->>'who' = 'listed'
    and (d.expires_at is null or d.expires_at > ${new Date(now).toISOString()})`

/** The newest waiting questions of the channel that list this user. */
export async function readMayDecide(
  sql: Sql,
  channel_id: string,
  user_id: string,
  now: number,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select id from decisions d
    where ${isListedNow(sql, channel_id, now)} and exists (
      select from json_array_elements(d.details->'listed') as listed where listed->>'user_id' = ${user_id})
    order by number desc limit ${LISTED_MAX}`
  return rows.map(({ id }) => id)
}

/** The names of the people whom the newest waiting questions of the channel list, by decision. */
export async function readChosen(
  sql: Sql,
  channel_id: string,
  now: number,
): Promise<Record<string, string[]>> {
  const rows = await sql<{ id: string; names: string[] }[]>`
    select d.id, (
      select coalesce(json_agg(u.name order by listed.place), '[]')
      from json_array_elements(d.details->'listed') with ordinality as listed (account, place)
        join users u on u.id = (listed.account->>'user_id')::uuid
    ) as names
    from decisions d where ${isListedNow(sql, channel_id, now)} order by d.number desc limit ${LISTED_MAX}`
  return Object.fromEntries(rows.map(({ id, names }) => [id, names]))
}
