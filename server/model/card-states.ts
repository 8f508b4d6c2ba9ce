// The state of a card at the time of an interaction. Interactions of a channel share equal states.
import { createHash } from 'node:crypto'
import type { AnySql, Transaction } from '../database/connect.ts'

export const hashState = (state: string) => createHash('sha256').update(state).digest()

/** Joins the interaction `i` with its card's state `cs`. */
export const withCardState = (sql: AnySql) => sql`
  left join card_states cs on cs.channel_id = i.channel_id and cs.hash = i.card_state_hash`

/**
 * Deletes the given states, unless an interaction refers to them. The transaction must hold the channel's interaction
 * counter; otherwise an interaction that isn't committed yet could lose its state.
 */
export async function deleteUnusedStates(tx: Transaction, channel_id: string, hashes: readonly string[]) {
  await tx`
    delete from card_states cs
    where channel_id = ${channel_id} and hash in (select decode(hex, 'hex') from unnest(${[...hashes]}::text[]) hex)
      and not exists (
        select from interactions i where i.channel_id = cs.channel_id and i.card_state_hash = cs.hash)`
}
