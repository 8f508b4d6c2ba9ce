// Writes presses that are judged in the channel's turn, with their interactions: they leave a receipt, or decide.
import { cardState } from '../../shared/card-state.ts'
import type { CreateInteractionBody, Interaction } from '../../shared/interaction.ts'
import { publicIdOf } from '../../shared/public-id.ts'
import { normalUuid } from '../../shared/text.ts'
import { personKind } from '../auth/access.ts'
import type { DecisionRecord } from '../decisions/rows.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Judged, Mutation, Outcome, PressedBy } from '../feed/turn/mutation.ts'
import { checkInteraction } from './interaction-rules.ts'
import { logInteraction, type NewInteraction } from './interactions.ts'
import { judgePress, type Press, type Presser } from './pressing.ts'

type OwnedChannel = { id: string; owner_id: string }
type PressMutation = Omit<Extract<Mutation, { kind: 'press' }>, 'kind'>
type Signed = Pick<Press, 'interaction_id' | 'timestamp'>

/** The id belongs to an interaction already. Its first result is the answer. */
export class InteractionTaken extends Error {
  override name = 'InteractionTaken'
}

/**
 * Resolves when the press is durable; rejects if it doesn't count, or if its id is taken: then the first result is the
 * answer. `record`: of the decision that it made.
 */
export async function writePress(
  feeds: Feeds,
  channel: OwnedChannel,
  card_id: string,
  press: Press,
): Promise<{ interaction: Interaction; record: DecisionRecord | null }> {
  const { by, decision_id } = press
  const mutation: PressMutation = {
    card_id,
    decision_id: normalUuid(decision_id),
    judge: at => judgePress(press, at),
    ...(by.kind === 'person' && { by: pressedBy(press, by) }),
  }
  return writeJudged(feeds, channel, mutation, press, ({ decided }) => ({
    user_id: by.kind === 'person' ? by.user_id : null,
    anonymous: isAnonymous(press, decided),
    decision_id: decided?.decision.id ?? null,
    agent: by.kind === 'agent' ? by : null,
  }))
}

/** The same for a header action. */
export async function pressHeader(
  feeds: Feeds,
  channel: OwnedChannel,
  body: CreateInteractionBody,
  signed: Signed,
  by: Presser,
) {
  const mutation: PressMutation = {
    card_id: null,
    decision_id: null,
    judge: ({ head: { mode, actions } }) => ({
      logged: checkInteraction(body, { mode, card: null, actions }),
      decided: null,
    }),
    by: pressedBy(signed, by),
  }
  const anonymous = by.user_id === null || !by.named
  return writeJudged(feeds, channel, mutation, signed, () => ({ user_id: by.user_id, anonymous }))
}

async function writeJudged(
  feeds: Feeds,
  { id: channel_id, owner_id }: OwnedChannel,
  mutation: PressMutation,
  { interaction_id, timestamp }: Signed,
  senderOf: (judged: Judged) => Pick<NewInteraction, 'user_id' | 'anonymous' | 'decision_id' | 'agent'>,
) {
  const outcome = await feeds.get(channel_id).writer.write({
    mutation: { kind: 'press', ...mutation },
    owner_id,
    also: async (tx, outcome) => {
      const judged = judgedIn(outcome)
      const interaction = { interaction_id, channel_id, timestamp, ...judged.logged, ...senderOf(judged) }
      const logged = await logInteraction(tx, interaction)
      if (!logged) throw new InteractionTaken()
      return logged.bytes + (judged.decided?.signed?.bytes ?? 0)
    },
  })
  const { logged, decided } = judgedIn(outcome)
  const { card_id, trigger, card } = logged
  const card_state = card && cardState(card.blocks, card.values)
  return {
    interaction: { interaction_id, channel_id, card_id, timestamp, trigger, card_state },
    record: decided,
  }
}

function judgedIn(outcome: Outcome): Judged {
  if (outcome.kind !== 'pressed') throw new Error(`a press ended as ${outcome.kind}`)
  return outcome
}

function pressedBy({ interaction_id, timestamp }: Signed, { name, named, role }: Presser): PressedBy {
  const by = named && name !== null ? { kind: personKind(role), name } : ANONYMOUS
  return { by, timestamp, act: publicIdOf(interaction_id) }
}

const ANONYMOUS = { kind: 'anonymous' as const, name: null }

function isAnonymous({ by }: Press, decided: DecisionRecord | null): boolean {
  if (by.kind === 'agent') return true
  const decided_by = decided?.decision.outcome?.by
  return decided_by ? decided_by.kind === 'anonymous' : by.user_id === null || !by.named
}
