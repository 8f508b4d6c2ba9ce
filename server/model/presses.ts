// Presses that leave a receipt: they are judged and logged in the channel's turn, together with the document's change.

import { actOf } from '../../shared/decision-rules.ts'
import type { CreateInteractionBody } from '../../shared/interaction.ts'
import type { Sql } from '../database/connect.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Outcome, PressedBy } from '../feed/mutation.ts'
import { checkInteraction } from './interaction-rules.ts'
import { logInteraction, type NewInteraction } from './interactions.ts'
import { readName } from './users.ts'

type Sender = Omit<NewInteraction, 'card_id' | 'trigger' | 'card_state'>
type Press = { body: CreateInteractionBody; sender: Sender; card_id: string | null; owner_id: string }

/** The interaction is in the log already. The turn, which would count it again, is undone. */
class Repeated extends Error {
  override name = 'Repeated'
}

/** Returns null if an interaction with this id exists. */
export async function pressWithReceipt(sql: Sql, feeds: Feeds, { body, sender, card_id, owner_id }: Press) {
  const by = await pressedBy(sql, sender, owner_id)
  try {
    const outcome = await feeds.write(sender.channel_id, {
      mutation: {
        kind: 'press',
        card_id,
        decision_id: null,
        judge: ({ card, head: { mode, actions } }) => ({
          logged: checkInteraction(body, { mode, card, actions }),
          decided: null,
        }),
        by,
      },
      owner_id,
      also: async (tx, outcome) => {
        if (!(await logInteraction(tx, { ...sender, ...loggedIn(outcome) }))) throw new Repeated()
      },
    })
    const { interaction_id, channel_id, timestamp } = sender
    const { card_id: on_card, trigger, card_state } = loggedIn(outcome)
    return { interaction_id, channel_id, card_id: on_card, timestamp, trigger, card_state }
  } catch (error) {
    if (error instanceof Repeated) return null
    throw error
  }
}

function loggedIn(outcome: Outcome) {
  if (outcome.kind !== 'pressed') throw new Error(`a press ended as ${outcome.kind}`)
  return outcome.logged
}

async function pressedBy(sql: Sql, sender: Sender, owner_id: string): Promise<PressedBy> {
  const { interaction_id, timestamp, user_id, anonymous } = sender
  const name = anonymous || user_id === null ? null : await readName(sql, user_id)
  const kind = name === null ? 'anonymous' : user_id === owner_id ? 'owner' : 'user'
  return { by: { kind, name }, timestamp, act: actOf(interaction_id) }
}
