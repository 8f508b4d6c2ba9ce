// Whether the viewer may decide a question, as far as the page knows. The server judges every press. Pure.
import type { Decision } from '../../../shared/decision.ts'
import type { Viewer } from '../../data/viewer.ts'

/** `unknown`: the page has no view of the channel yet, or one from before the question. */
export type Permission = 'yes' | 'sign_in' | 'no' | 'unknown'

/** As many questions as `may_decide` and `chosen` list. */
const LISTED_MAX = 200

export function mayDecide({ who, id }: Pick<Decision, 'who' | 'id'>, viewer: Viewer | undefined): Permission {
  // Access comes before the question.
  if (viewer?.can_act === false) return 'no'
  if (who === 'anyone') return 'yes'
  if (!viewer) return 'unknown'
  const { kind } = viewer.you
  if (kind === 'anonymous') return 'sign_in'
  switch (who) {
    case 'signed_in':
      return 'yes'
    case 'members':
      return kind === 'user' || viewer.role === 'viewer' ? 'no' : 'yes'
    case 'owner':
      return kind === 'owner' ? 'yes' : 'no'
    case 'listed': {
      const listed = viewer.may_decide ?? []
      return listed.includes(id) || listed.length >= LISTED_MAX ? 'yes' : 'unknown'
    }
  }
}

/** The people whom a question lists: only people with a role see them. */
export const chosenFor = ({ id }: Pick<Decision, 'id'>, viewer: Viewer | undefined) =>
  viewer?.chosen?.[id] ?? []

/** Whether the page has a view from before the question, which names nobody. */
export function lacksNames({ who, id }: Pick<Decision, 'who' | 'id'>, viewer: Viewer | undefined): boolean {
  if (who !== 'listed' || !viewer?.chosen) return false
  return viewer.chosen[id] === undefined && Object.keys(viewer.chosen).length < LISTED_MAX
}
