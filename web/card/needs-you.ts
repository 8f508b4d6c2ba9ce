// Whether a card waits for a decision, and whether this viewer may make it.
import type { Block, BlockOf } from '../../shared/block.ts'
import type { CardStatus } from '../../shared/card.ts'
import type { Decision } from '../../shared/decision.ts'
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
  const decisions = blocks.filter(isButtonBlock).flatMap(({ decision }) => (decision ? [decision] : []))
  if (decisions.length === 0) return 'none'
  const waiting = decisions.filter(decision => isWaiting(decision, now))
  if (waiting.length === 0) return 'ended'
  return isInteractive && waiting.some(decision => mayDecide(decision, viewer) === 'yes') ? 'you' : 'waiting'
}

/** A pending card whose questions have all ended no longer waits for anything. */
export function shownStatus(status: CardStatus, need: CardNeed): ShownStatus {
  if (need === 'you') return 'you'
  if (need === 'waiting') return 'pending'
  return need === 'ended' && status === 'pending' ? 'default' : status
}

const isButtonBlock = (block: Block): block is BlockOf<'button'> => block.type === 'button'

const isWaiting = ({ state, expires_at }: Decision, now: number) =>
  state === 'waiting' && (expires_at === null || Date.parse(expires_at) > now)
