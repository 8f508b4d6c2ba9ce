// Rows of the `decisions` table: their columns, the full form that is made of them, and how a commit writes them.
import type { PendingQuery, Row } from 'postgres'
import type { Decision, FullDecision } from '../../shared/decision.ts'
import { withAbandon } from '../../shared/decision-rules.ts'
import type { Value } from '../../shared/form-block.ts'
import type { DigestedCard } from '../../shared/signed-decision.ts'
import type { AnySql } from '../database/connect.ts'
import type { PublicJwk } from '../key-pair.ts'
import { writeFirstLeases } from './look-rows.ts'
import { noteKeyUse } from './signing-keys.ts'

/** Who asked. `api_key_id`: null for a session. `user_id`: absent in questions of release 0.2. */
export type Asker = FullDecision['asked_by'] & { api_key_id: string | null; user_id?: string }

/** What the document doesn't show. */
export type DecisionDetails = {
  choices: FullDecision['choices']
  asker: Asker
  /** The listed accounts, in the order of the request; null unless `who` is `listed`. */
  listed: { email: string; user_id: string }[] | null
  /** A hash of the request's blocks, so that the same request joins the question; null: nobody joins. */
  request: string | null
  answer: DecisionAnswer | null
}

export type DecisionAnswer = {
  interaction_id: string
  user_id: string | null
  api_key_id: string | null
  values: Record<string, Value>
  seen: string | null
  card_updated_at: string
}

/** What the signature covers besides the claims. `jwk`: the public half of the key. `bytes`: what the row keeps. */
export type SignedContent = {
  card: DigestedCard
  values: Record<string, Value> | null
  kid: string
  jwk: PublicJwk
  bytes: number
}

/** `decision` is the public form, exactly as in the document. */
export type DecisionRecord = {
  channel_id: string
  /** Null once the card is deleted. */
  card_id: string | null
  block_id: string
  decision: Decision
  details: DecisionDetails
  /** Null unless a press decided it; also null for decisions from before signatures. */
  jws: string | null
  /** What the signature is about, from the press to its commit. */
  signed?: SignedContent
}

/** The rows that meet `condition`, which may end with `order by` and `limit`. The rows of a deleted channel are gone. */
export function selectDecisions(sql: AnySql, condition: PendingQuery<Row[]>) {
  return sql<(DecisionRecord & { number: number })[]>`
    select number, ${recordColumns(sql)} from decisions where ${condition}`
}

/** Of a record, as it is read. */
export const recordColumns = (sql: AnySql) => sql`channel_id, card_id, block_id, decision, details, jws`

/** The record of the question that the interaction `i` answered, or that expired; null for other interactions. */
export const answeredColumn = (sql: AnySql) => sql`
  case when i.decision_id is not null then (
    select row_to_json(q) from (
      select ${recordColumns(sql)} from decisions
      where channel_id = i.channel_id and id = i.decision_id
    ) q
  ) end as answered`

export function fullForm(record: DecisionRecord, public_url: string): FullDecision {
  const { channel_id, card_id, block_id, decision, details, jws } = record
  const { asker, choices, listed, answer } = details
  const { outcome, ...rest } = withAbandon(decision)
  const url = `${public_url}/c/${channel_id}${card_id === null ? '' : `?card=${card_id}`}`
  return {
    ...rest,
    who: listed === null ? decision.who : listed.map(({ email }) => email),
    channel_id,
    card_id,
    block_id,
    choices,
    asked_by: { kind: asker.kind, name: asker.name },
    url,
    outcome: outcome && answer && { ...fullOutcome(outcome, answer), jws },
  }
}

function fullOutcome(
  { act: _, by, ...outcome }: NonNullable<Decision['outcome']>,
  { user_id, api_key_id, ...answer }: DecisionAnswer,
) {
  return { ...outcome, by: { ...by, user_id, api_key_id }, ...answer }
}

/** Part of the statement of a commit. Ended questions come first, so that their key is free for a new one. */
export function writeDecisions(sql: AnySql, records: DecisionRecord[]) {
  const rows = records
    .map(({ signed, ...record }) => {
      const { id, key, state, expires_at, abandon = 'keep', ended_at } = record.decision
      // The copy of a card goes with the card, which the same turn may have deleted.
      const signed_card = record.card_id === null ? null : signed?.card
      const columns = {
        id,
        key,
        state,
        expires_at,
        abandon,
        ended_at,
        signed_card,
        signed_values: signed?.values,
      }
      return { ...record, ...columns }
    })
    .sort((a, b) => Number(a.state === 'waiting') - Number(b.state === 'waiting'))
  const signed = records.flatMap(record => record.signed ?? [])[0]
  return sql`decided as (
    insert into decisions (channel_id, id, card_id, block_id, key, state, expires_at, abandon, ended_at, decision, details,
      jws, signed_card, signed_values)
    select channel_id, id, card_id, block_id, key, state, expires_at, abandon, ended_at, decision, details,
      jws, signed_card, signed_values
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as q(
      channel_id uuid, id uuid, card_id uuid, block_id text, key text, state text,
      expires_at timestamptz, abandon text, ended_at timestamptz, decision json, details json,
      jws text, signed_card json, signed_values json)
    on conflict (channel_id, id) do update set card_id = excluded.card_id, key = excluded.key,
      state = excluded.state, expires_at = excluded.expires_at, abandon = excluded.abandon,
      ended_at = excluded.ended_at, decision = excluded.decision, details = excluded.details, jws = excluded.jws,
      signed_card = coalesce(excluded.signed_card, decisions.signed_card),
      signed_values = coalesce(excluded.signed_values, decisions.signed_values))
    ${signed ? sql`, ${noteKeyUse(sql, signed)}` : sql``}
    ${writeFirstLeases(sql, rows.filter(mayBeAbandoned))}`
}

const mayBeAbandoned = ({ state, abandon }: Pick<Decision, 'state' | 'abandon'>) =>
  state === 'waiting' && abandon === 'cancel'
