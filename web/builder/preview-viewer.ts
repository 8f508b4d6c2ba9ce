// As whom the preview shows the questions of a card. Pure.
import type { ChannelView } from '../../shared/channel-view.ts'
import type { NewDecision } from '../../shared/decision.ts'

/** Whom a question asks. */
export type Deciders = NonNullable<NewDecision['who']>
type PreviewViewer = Pick<ChannelView, 'you' | 'may_decide'>

/** The id of the card, of its channel and of its questions. */
export const PREVIEW = 'preview'

/** The owner of the channel may decide unless a list leaves them out. Addresses are in lower case. */
export const ownerMayDecide = (asked: Deciders[], email: string) =>
  asked.every(who => !Array.isArray(who) || who.includes(email.toLowerCase()))

/** `name`: the owner's. */
export function previewViewer(asked: Deciders[], mayDecide: boolean, name: string): PreviewViewer {
  if (mayDecide) return { you: { kind: 'owner', name }, may_decide: [PREVIEW] }
  const isSignedIn = !asked.includes('signed_in')
  return {
    you: isSignedIn ? { kind: 'user', name: 'Somebody' } : { kind: 'anonymous', name: null },
    may_decide: [],
  }
}
