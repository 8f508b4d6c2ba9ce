// Reads the cards of a channel that wait for a decision of one viewer.
import type { WaitingCards } from '../../shared/channel-view.ts'
import { WHO } from '../../shared/decision.ts'
import { LIST_MAX_BYTES, WAITING_MAX } from '../../shared/limits.ts'
import type { Role } from '../../shared/role.ts'
import { refusalToDecide } from '../auth/access.ts'
import type { Sql } from '../database/connect.ts'
import { selectNewest } from '../feed/log/card-rows.ts'
import { cardAt } from './cards.ts'

export type Decider = { user_id: string | null; role: Role | null }

/** Newest first, with their receipts. The cards whose bytes go beyond a list's limit are only counted. */
export async function readWaitingCards(
  sql: Sql,
  channel_id: string,
  decider: Decider,
  now: number,
): Promise<WaitingCards> {
  const waits = sql`
    channel_id = ${channel_id} and state = 'waiting' and card_id is not null
    and (expires_at is null or expires_at > ${new Date(now).toISOString()})
    and (
      decision->>'who' = any(${allowedTo(decider)}::text[])
      or decision->>'who' = 'listed' and exists (
        select from json_array_elements(details->'listed') listed where listed->>'user_id' = ${decider.user_id}))`
  const [counted] = await sql<{ total: number }[]>`
    select count(distinct card_id)::integer as total from decisions where ${waits}`
  const total = counted?.total ?? 0
  if (total === 0) return { total, cards: [] }
  const { cards } = await selectNewest(
    sql,
    channel_id,
    sql`id in (select card_id from decisions where ${waits})`,
    {
      limit: WAITING_MAX,
      max_bytes: LIST_MAX_BYTES,
      with_receipts: true,
    },
  )
  return { total, cards: cards.map(card => cardAt(card, now)) }
}

/** Whose questions the person may decide without being listed. */
export const allowedTo = (decider: Decider) =>
  WHO.filter(who => {
    const rules = { who, agents: false, listed: [], asker_key: null }
    return refusalToDecide(rules, { kind: 'person', ...decider }) === null
  })
