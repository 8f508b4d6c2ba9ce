// The state of a card at the moment of a click, stored once for all interactions of the channel that share it.
import { createHash } from 'node:crypto'
import type { Sql, Transaction } from '../database/connect.ts'

/** Names a state in its channel. `state`: its JSON text. */
export const hashState = (state: string) => createHash('sha256').update(state).digest()

/** Joins the interaction `i` with its state `cs`. */
export const withCardState = (sql: Sql | Transaction) => sql`
  left join card_states cs on cs.channel_id = i.channel_id and cs.hash = i.card_state_hash`

/**
 * Deletes those of the given states that no interaction refers to any more. The transaction must hold the channel's
 * counter, as every transaction does that logs an interaction; otherwise it could delete a state that a click in
 * progress refers to.
 */
export async function deleteUnusedStates(
  tx: Transaction,
  channel_id: string,
  hashes: readonly string[],
): Promise<void> {
  await tx`
    delete from card_states cs
    where channel_id = ${channel_id} and hash in (select decode(hex, 'hex') from unnest(${[...hashes]}::text[]) hex)
      and not exists (
        select from interactions i where i.channel_id = cs.channel_id and i.card_state_hash = cs.hash)`
}
