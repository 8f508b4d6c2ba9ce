// Rules about decisions that need no schema: the channel's page uses them and must stay small.
import type { Block, BlockOf } from './block.ts'
import type { Decision } from './decision.ts'

/** A block of buttons that shows a decision. */
export type QuestionBlock = BlockOf<'button'> & { decision: Decision }

export const isQuestionBlock = (block: Block): block is QuestionBlock =>
  block.type === 'button' && block.decision !== undefined

/** The decision as it is at `now` (in milliseconds): expired at its deadline, even before the sweep has written that. */
export function decisionAt(decision: Decision, now: number): Decision {
  if (!isOverdue(decision, now)) return decision
  return { ...decision, state: 'expired', ended_at: decision.expires_at }
}

/** Questions of release 0.2 have no `abandon`, which means `keep`. */
export function withAbandon(decision: Decision): Decision {
  if ('abandon' in decision) return decision
  const { ended_at, reason, outcome, ...asked }: Decision = decision
  return { ...asked, abandon: 'keep', ended_at, reason, outcome }
}

export const isOverdue = ({ state, expires_at }: Pick<Decision, 'state' | 'expires_at'>, now: number) =>
  state === 'waiting' && expires_at !== null && Date.parse(expires_at) <= now
