// Whether the viewer may decide a question, as far as the page knows. The server judges every press. Pure.
import type { Block } from '../../../shared/block.ts'
import type { ChannelView } from '../../../shared/channel-view.ts'
import type { Decision } from '../../../shared/decision.ts'

/** `unknown`: the page has no view of the channel yet, or one from before the question. */
export type Permission = 'yes' | 'sign_in' | 'no' | 'unknown'

export type Viewer = Pick<ChannelView, 'you' | 'may_decide'>

/** As many questions as `may_decide` lists. */
const LISTED_MAX = 200

export function mayDecide({ who, id }: Pick<Decision, 'who' | 'id'>, viewer: Viewer | undefined): Permission {
  if (who === 'anyone') return 'yes'
  if (!viewer) return 'unknown'
  const { kind } = viewer.you
  if (kind === 'anonymous') return 'sign_in'
  switch (who) {
    case 'signed_in':
      return 'yes'
    case 'members':
      return kind === 'user' ? 'no' : 'yes'
    case 'owner':
      return kind === 'owner' ? 'yes' : 'no'
    case 'listed': {
      const listed = viewer.may_decide ?? []
      return listed.includes(id) || listed.length >= LISTED_MAX ? 'yes' : 'unknown'
    }
  }
}

/**
 * Whose turn a card is: `you` may decide one of its questions, or only `others` may. `nobody`: all of its questions have ended.
 * Null for a card that asks nothing.
 */
export function turnOf(blocks: Block[], viewer: Viewer | undefined): 'you' | 'others' | 'nobody' | null {
  const decisions = blocks.flatMap(block => (block.type === 'button' && block.decision) || [])
  if (decisions.length === 0) return null
  const waiting = decisions.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return 'nobody'
  return waiting.some(decision => mayDecide(decision, viewer) === 'yes') ? 'you' : 'others'
}
