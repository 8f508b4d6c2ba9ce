// Ends questions in their channels' turns, and logs those that expired, for the webhook.
import { randomUUID } from 'node:crypto'
import type { Transaction } from '../database/connect.ts'
import type { EndQuestion } from '../decisions/end-question.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Outcome } from '../feed/turn/mutation.ts'
import { logInteraction } from './interactions.ts'

/** `logged`: the channel has a new interaction. */
type Deps = { feeds: Feeds; logged: (channel_id: string) => void }

export function createEndQuestion({ feeds, logged }: Deps): EndQuestion {
  return async ({ channel_id, owner_id, card_id, decision_id }, how, also) => {
    const mutation = { kind: 'end', how, card_id, decision_id } as const
    const more = also && { also: async (tx: Transaction) => void (await also(tx)) }
    const request = { mutation, owner_id, ...(how === 'expire' ? { also: logExpiry } : more) }
    const outcome = await feeds.get(channel_id).writer.write(request)
    const changed = outcome.kind === 'ended' && outcome.changed
    if (changed && how === 'expire') logged(channel_id)
    return changed
  }
}

/** An expiry is logged like a person's interaction, so that what waits for the webhook ends. */
async function logExpiry(tx: Transaction, outcome: Outcome): Promise<undefined> {
  if (outcome.kind !== 'ended' || !outcome.record) throw new Error('nothing ended')
  const { card, record } = outcome
  if (record.decision.state !== 'expired') return
  const { id: decision_id, ended_at, asked_at } = record.decision
  await logInteraction(tx, {
    interaction_id: randomUUID(),
    channel_id: record.channel_id,
    card_id: card?.id ?? null,
    timestamp: ended_at ?? asked_at,
    trigger: { type: 'decision_expired', block_id: record.block_id },
    card: card && { blocks: card.blocks, values: new Map() },
    user_id: null,
    anonymous: true,
    decision_id,
  })
}
