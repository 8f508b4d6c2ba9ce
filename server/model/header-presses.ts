// Presses of header actions that leave a receipt: they are judged and logged in the channel's turn.
import type { CreateInteractionBody } from '../../shared/interaction.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Outcome } from '../feed/turn/mutation.ts'
import { InteractionTaken, pressedBy } from './decision-presses.ts'
import { checkInteraction } from './interaction-rules.ts'
import { logInteraction, type NewInteraction } from './interactions.ts'

type HeaderPress = {
  body: CreateInteractionBody
  sender: Omit<NewInteraction, 'card_id' | 'trigger' | 'card'>
  owner_id: string
  /** Null for an anonymous person. */
  name: string | null
  /** Whether the person owns the workspace. */
  owner: boolean
}

/** Returns null if an interaction with this id exists. */
export async function pressHeader(feeds: Feeds, { body, sender, owner_id, name, owner }: HeaderPress) {
  const { interaction_id, channel_id, timestamp } = sender
  try {
    const outcome = await feeds.get(channel_id).writer.write({
      mutation: {
        kind: 'press',
        card_id: null,
        decision_id: null,
        judge: ({ head: { mode, actions } }) => ({
          logged: checkInteraction(body, { mode, card: null, actions }),
          decided: null,
        }),
        by: pressedBy(sender, { name, named: name !== null, owner }),
      },
      owner_id,
      also: async (tx, outcome) => {
        const logged = await logInteraction(tx, { ...sender, ...loggedIn(outcome) })
        if (!logged) throw new InteractionTaken()
        return logged.bytes
      },
    })
    const { card_id, trigger } = loggedIn(outcome)
    return { interaction_id, channel_id, card_id, timestamp, trigger, card_state: null }
  } catch (error) {
    if (error instanceof InteractionTaken) return null
    throw error
  }
}

function loggedIn(outcome: Outcome) {
  if (outcome.kind !== 'pressed') throw new Error(`a press ended as ${outcome.kind}`)
  return outcome.logged
}
