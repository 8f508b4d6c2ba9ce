// Writes presses that are judged in the channel's turn, with their interactions.
import { type CardStateEntry, cardState } from '../../shared/card-state.ts'
import { publicIdOf } from '../../shared/decision-rules.ts'
import type { Interaction } from '../../shared/interaction.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { DecisionRecord } from '../feed/log/decision-rows.ts'
import type { Outcome, PressedBy } from '../feed/turn/mutation.ts'
import { logInteraction, type NewInteraction } from './interactions.ts'
import { judgePress, type Press, type Presser } from './pressing.ts'

type OwnedChannel = { id: string; owner_id: string }
type PressedInteraction = Omit<Interaction, 'card_state'> & { card_state: CardStateEntry[] | null }

/** The id belongs to an interaction already. Its first result is the answer. */
export class InteractionTaken extends Error {
  override name = 'InteractionTaken'
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Resolves when the press is durable; rejects if it doesn't count, or if its id is taken: then the first result is the
 * answer.
 */
export async function writePress(
  feeds: Feeds,
  { id: channel_id, owner_id }: OwnedChannel,
  card_id: string,
  press: Press,
): Promise<{ interaction: PressedInteraction; record: DecisionRecord | null }> {
  const { interaction_id, timestamp, by, decision_id } = press
  const interactionOf = ({ logged, decided }: Extract<Outcome, { kind: 'pressed' }>): NewInteraction => ({
    interaction_id,
    channel_id,
    timestamp,
    ...logged,
    user_id: by.kind === 'person' ? by.user_id : null,
    anonymous: isAnonymous(press, decided),
    decision_id: decided?.decision.id ?? null,
    agent: by.kind === 'agent' ? by : null,
  })
  const outcome = await feeds.get(channel_id).writer.write({
    mutation: {
      kind: 'press',
      card_id,
      decision_id: decision_id !== null && UUID.test(decision_id) ? decision_id : null,
      judge: at => judgePress(press, at),
      ...(by.kind === 'person' && { by: pressedBy(press, by) }),
    },
    owner_id,
    also: async (tx, outcome) => {
      if (outcome.kind !== 'pressed') return
      const logged = await logInteraction(tx, interactionOf(outcome))
      if (!logged) throw new InteractionTaken()
      return logged.bytes
    },
  })
  if (outcome.kind !== 'pressed') throw new Error(`a press ended as ${outcome.kind}`)
  const { card_id: pressed_id, trigger, card } = outcome.logged
  const card_state = card && cardState(card.blocks, card.values)
  const interaction = { interaction_id, channel_id, card_id: pressed_id, timestamp, trigger, card_state }
  return { interaction, record: outcome.decided }
}

/** `name`: of the account; null if there is none. `named`: the person shows it. */
export function pressedBy(
  { interaction_id, timestamp }: Pick<Press, 'interaction_id' | 'timestamp'>,
  { name, named, owner }: Pick<Presser, 'name' | 'named' | 'owner'>,
): PressedBy {
  const by =
    named && name !== null ? { kind: owner ? ('owner' as const) : ('user' as const), name } : ANONYMOUS
  return { by, timestamp, act: publicIdOf(interaction_id) }
}

const ANONYMOUS = { kind: 'anonymous' as const, name: null }

function isAnonymous({ by }: Press, decided: DecisionRecord | null): boolean {
  if (by.kind === 'agent') return true
  const decided_by = decided?.decision.outcome?.by
  return decided_by ? decided_by.kind === 'anonymous' : by.user_id === null || !by.named
}
