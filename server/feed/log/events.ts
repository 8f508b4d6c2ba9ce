// The events of a turn. The log keeps them, so that a stream that returns within ten minutes gets what it missed.
import type { Card, PlacedCard } from '../../../shared/card.ts'
import type { DecisionState, FullDecision } from '../../../shared/decision.ts'
import type { Sql } from '../../database/connect.ts'
import { selectUpTo } from '../../database/select-up-to.ts'

/** A card that a turn inserted, changed or deleted. */
export type TurnedCard = { card: PlacedCard; is: 'new' | 'changed' | 'deleted' }

export type CardEvent =
  | { type: 'card.inserted' | 'card.updated'; data: Card }
  | { type: 'card.deleted'; data: { id: string; channel_id: string } }

export type DecisionEvent = { type: `decision.${DecisionState}`; data: FullDecision }

export type FeedEvent = CardEvent | DecisionEvent

export type LoggedEvents = { seq: number; events: FeedEvent[] }

/** For so long after a stream. Half of it is always left while one is open, because instances' clocks may differ by a day. */
export const EVENTS_KEPT_MS = 72 * 3_600_000

/** Those of the cards come first. */
export function eventsOf(rows: TurnedCard[], decisions: DecisionEvent[]): FeedEvent[] {
  const cards = rows.map(({ card, is }): CardEvent => {
    if (is === 'deleted') return { type: 'card.deleted', data: { id: card.id, channel_id: card.channel_id } }
    const { position: _, acts: __, ...data } = card
    return { type: is === 'new' ? 'card.inserted' : 'card.updated', data }
  })
  return [...cards, ...decisions]
}

/**
 * The events of at most `limit` turns from `from` on. The turn that reaches `max_bytes` is the last. Null if the log doesn't
 * have the events of the first one.
 */
export async function readEvents(
  sql: Sql,
  channel_id: string,
  at: { epoch: number; from: number; limit: number; max_bytes: number },
): Promise<LoggedEvents[] | null> {
  const { rows } = await selectUpTo<LoggedEvents>(
    sql,
    sql`
      select seq, events from document_updates
      where channel_id = ${channel_id} and epoch = ${at.epoch} and seq >= ${at.from} and events is not null`,
    { bytes: sql`octet_length(events::text)`, order: sql`seq`, limit: at.limit, max_bytes: at.max_bytes },
  )
  const turns = rows.filter(({ seq }, i) => seq === at.from + i)
  return turns.length === 0 ? null : turns
}
