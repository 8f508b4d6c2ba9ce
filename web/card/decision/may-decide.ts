// Whether the viewer may decide a question, as far as the page knows. The server judges every press. Pure.
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
