// What a turn meant for its cards, as event streams tell it. Kept in the log while someone listens, so that a
// listener who returns within ten minutes gets exactly what it missed, also after a restart.
import type { Card, PlacedCard } from '../../shared/card.ts'
import type { Sql } from '../database/connect.ts'
import type { Turn } from './turn.ts'

export type CardEvent =
  | { type: 'card.inserted' | 'card.updated'; data: Card }
  | { type: 'card.deleted'; data: { id: string; channel_id: string } }

export type LoggedEvents = { seq: number; events: CardEvent[] }

/** After someone listened, the log goes on keeping events for so long. */
export const EVENTS_KEPT_MS = 24 * 3_600_000

/** One event a card: what the turn as a whole did to it. */
export function eventsOf(turn: Turn): CardEvent[] {
  return [...turn.rows.values()].map(({ card, is }): CardEvent => {
    if (is === 'deleted') return { type: 'card.deleted', data: { id: card.id, channel_id: card.channel_id } }
    return { type: is === 'new' ? 'card.inserted' : 'card.updated', data: withoutPosition(card) }
  })
}

/**
 * The events of all turns from `from` on, oldest first; null where the log does not have them all (any more).
 * `last`: the seq that the log is known to have reached.
 */
export async function readEvents(
  sql: Sql,
  channel_id: string,
  at: { epoch: number; from: number; last: number },
): Promise<LoggedEvents[] | null> {
  const rows = await sql<LoggedEvents[]>`
    select seq, events from document_updates
    where channel_id = ${channel_id} and epoch = ${at.epoch} and seq >= ${at.from} and seq <= ${at.last}
      and events is not null
    order by seq`
  return rows.length === at.last - at.from + 1 ? rows : null
}

function withoutPosition({ position: _, ...card }: PlacedCard): Card {
  return card
}
