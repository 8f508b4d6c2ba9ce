// Reads decisions from their table.
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { type DecisionRecord, selectDecisions } from '../feed/log/decision-rows.ts'

/** Throws 404 if the channel has no such decision. Ended decisions are found until retention removes them. */
export async function getDecision(sql: Sql, channel_id: string, id: string | null): Promise<DecisionRecord> {
  const [found] =
    id === null ? [] : await selectDecisions(sql, sql`channel_id = ${channel_id} and id = ${id}`)
  if (!found) throw notFound('Decision')
  return found
}

/** The decision that the interaction made. */
export async function findDecisionOf(sql: Sql, interaction_id: string): Promise<DecisionRecord | null> {
  const made = sql`select decision_id from interactions where interaction_id = ${interaction_id}`
  const channel = sql`select channel_id from interactions where interaction_id = ${interaction_id}`
  const [found] = await selectDecisions(sql, sql`channel_id = (${channel}) and id = (${made})`)
  return found ?? null
}
