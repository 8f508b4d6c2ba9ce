// The state of a card at the time of an interaction. Interactions of a channel share equal states; those with other values
// share the card. The view `card_states` has every state whole.
import { createHash } from 'node:crypto'
import { cardState } from '../../shared/card-state.ts'
import { changedValues, type FilledCard } from '../../shared/form-block.ts'
import type { AnySql, Transaction } from '../database/connect.ts'

/** As it is stored: `state` without the viewer's values, and `given` with those that differ; null if none does. */
export type StoredState = { hash: Buffer; base: Buffer; state: string; given: string | null }

export function storedState(card: FilledCard): StoredState {
  const state = JSON.stringify(cardState(card.blocks, new Map()))
  const base = sha256(state)
  const values = changedValues(card)
  if (values.size === 0) return { hash: base, base, state, given: null }
  const given = JSON.stringify(Object.fromEntries(values))
  return { hash: sha256(base.toString('hex') + given), base, state, given }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Part of a statement: stores the state of the interaction in `logged`, if there is one. */
export const storeState = (sql: AnySql, { hash, base, state, given }: StoredState) => sql`
  base as (
    insert into stored_card_states (channel_id, hash, state)
    select channel_id, ${base}::bytea, ${state}::text::json from logged
    on conflict do nothing returning 1
  ), filled as (
    insert into stored_card_states (channel_id, hash, base, given)
    select channel_id, ${hash}::bytea, ${base}::bytea, ${given}::text::json from logged where ${given}::text is not null
    on conflict do nothing)`

/** Joins the interaction `i` with its card's state `cs`. */
export const withCardState = (sql: AnySql) => sql`
  left join card_states cs on cs.channel_id = i.channel_id and cs.hash = i.card_state_hash`

/** The trigger of the interaction `i`, given its card's state `cs`. */
export const triggerColumn = (sql: AnySql) => sql`with_label(i.trigger, cs.state)`

/** In UTF-16 units. A longer label is stored with the card's state only: it isn't for each press to store it. */
const LABEL_MAX = 200

/** A press of a button on a card as it is stored. */
export function storedTrigger(trigger: { type: string; label?: string }, on_card: boolean): string {
  const { label, ...rest } = trigger
  const leaves = on_card && trigger.type === 'button_click' && label !== undefined && label.length > LABEL_MAX
  return JSON.stringify(leaves ? rest : trigger)
}

/** What an interaction adds. `is_new`: the card's state wasn't stored before. */
export function storedBytes(trigger: string, state: StoredState | null, is_new: boolean): number {
  const values = Buffer.byteLength(state?.given ?? '')
  return Buffer.byteLength(trigger) + values + (state && is_new ? Buffer.byteLength(state.state) : 0)
}

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
