// Whether a card waits for a decision, and whether this viewer may make it.
import type { Block } from '../../shared/block.ts'
import type { CardStatus } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
import type { QuestionBlock } from '../../shared/decision-rules.ts'
import type { Viewer } from '../data/viewer.ts'
import type { ShownStatus } from '../ui/status.tsx'
import { mayDecide } from './decision/may-decide.ts'

/** `waiting`: for others. */
export type CardNeed = 'you' | 'waiting' | 'ended' | 'none'

/** `now` is by the server's clock (ms). `isInteractive`: whether viewers may act in the channel. */
export function needOf(
  blocks: Block[],
  viewer: Viewer | undefined,
  isInteractive: boolean,
  now: number,
): CardNeed {
  if (!blocks.some(hasDecision)) return 'none'
  const waiting = waitingQuestions(blocks, now)
  if (waiting.length === 0) return 'ended'
  const mayDecideOne = waiting.some(({ decision }) => mayDecide(decision, viewer) === 'yes')
  return isInteractive && mayDecideOne ? 'you' : 'waiting'
}

/** `now` is by the server's clock (ms). */
export const waitingQuestions = (blocks: Block[], now: number): QuestionBlock[] =>
  blocks.filter(hasDecision).filter(({ decision }) => isWaiting(decision, now))

/** A pending card whose questions have all ended no longer waits for anything. */
export function shownStatus(status: CardStatus, need: CardNeed): ShownStatus {
  if (need === 'you') return 'you'
  if (need === 'waiting') return 'pending'
  return need === 'ended' && status === 'pending' ? 'default' : status
}

/** Not that of decision-rules.ts, which brings a hash into the first script. */
const hasDecision = (block: Block): block is QuestionBlock =>
  block.type === 'button' && block.decision !== undefined

const isWaiting = ({ state, expires_at }: Decision, now: number) =>
  state === 'waiting' && (expires_at === null || Date.parse(expires_at) > now)
