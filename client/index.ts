// What `channel-feed` exports.

export type { Block } from '../shared/block.ts'
export type { Card, CardList } from '../shared/card.ts'
export type { FullDecision } from '../shared/decision.ts'
export type { SignedDecision } from '../shared/signed-decision.ts'
export type { AskChoice, AskOptions, ChoiceId } from './ask.ts'
export { ChannelHandle } from './channel.ts'
export { ChannelFeed } from './channel-feed.ts'
export type { CardReference, NewCard, PushedCard } from './channel-requests.ts'
export { type DecideOptions, DecisionHandle } from './decision.ts'
export {
  AuthError,
  ChannelFeedError,
  ConflictError,
  ConnectionError,
  DecisionCancelled,
  DecisionExpired,
  InvalidRequestError,
  NotFoundError,
  QuestionError,
  RateLimitError,
  ServerError,
  StillWaiting,
} from './errors.ts'
export type { ChannelEvent, EventOptions } from './events.ts'
export type { Method } from './http.ts'
export { Pages } from './pages.ts'
export type { ClientOptions, Once, RequestOptions } from './requester.ts'
export type { Review, ReviewRequest, ReviewType } from './review.ts'
export type { AskAnswer, WaitOptions } from './wait.ts'
