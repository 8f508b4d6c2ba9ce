// As whom the preview shows the questions of a card. Pure.
import type { NewDecision } from '../../shared/decision.ts'
import type { Viewer } from '../data/viewer.ts'

/** Whom a question asks. */
export type Deciders = NonNullable<NewDecision['who']>

/** The id of the card, of its channel and of its questions. */
export const PREVIEW = 'preview'

/** The owner of the channel may decide unless a list leaves them out. Addresses are in lower case. */
export const ownerMayDecide = (asked: Deciders[], email: string) =>
  asked.every(who => !Array.isArray(who) || who.includes(email.toLowerCase()))

/** `name`: the owner's. */
export function previewViewer(asked: Deciders[], mayDecide: boolean, name: string): Viewer {
  if (mayDecide) return { role: 'owner', can_act: true, you: { kind: 'owner', name }, may_decide: [PREVIEW] }
  const isSignedIn = !asked.includes('signed_in')
  return {
    role: null,
    can_act: true,
    you: isSignedIn ? { kind: 'user', name: 'Somebody' } : { kind: 'anonymous', name: null },
    may_decide: [],
  }
}
