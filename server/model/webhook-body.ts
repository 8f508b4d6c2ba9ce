// The webhook's request body. It isn't stored: the same interaction always gives the same bytes.
import type { Sql, Transaction } from '../database/connect.ts'

/** What a body is built from. `card_id`: the card's id when the interaction was first queued. */
export type Sent = {
  interaction_id: string
  channel_id: string
  card_id: string | null
  timestamp: string
  trigger: unknown
  card_state: unknown
}

/** To the letter of the specification, in its order of fields. */
export function webhookBody(interaction: Sent): string {
  const { interaction_id, channel_id, card_id, timestamp, trigger, card_state } = interaction
  return JSON.stringify({ interaction_id, channel_id, card_id, timestamp, trigger, card_state })
}

/** `body`: of a delivery from the time when they were stored; null since. */
export type BodyParts = Sent & { body: string | null }

/** The columns of `BodyParts`, of the delivery `d`, its interaction `i` and the card's state `cs`. */
export const bodyColumns = (sql: Sql | Transaction) => sql`
  i.interaction_id, d.channel_id, d.card_id, i.timestamp, i.trigger, cs.state as card_state, d.body`

export const bodyOf = ({ body, ...sent }: BodyParts): string => body ?? webhookBody(sent)
