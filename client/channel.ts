// A channel of a program: its requests, questions and events.
import { type AskChoice, type AskOptions, ask, type ChoiceId, type DEFAULT_CHOICES } from './ask.ts'
import { ChannelRequests } from './channel-requests.ts'
import { type ChannelEvent, type EventOptions, followEvents } from './events.ts'
import { type DefaultReview, type Review, type ReviewRequest, type ReviewType, review } from './review.ts'
import type { AskAnswer } from './wait.ts'

export class ChannelHandle extends ChannelRequests {
  /**
   * Asks a question on a new card, and resolves when it is decided. Otherwise it throws: `DecisionExpired`,
   * `DecisionCancelled`, or `StillWaiting` when its own `timeout` is over.
   */
  ask<const C extends readonly AskChoice[] = typeof DEFAULT_CHOICES>(
    options: AskOptions<C>,
  ): Promise<AskAnswer<ChoiceId<C>>>
  ask(options: AskOptions): Promise<AskAnswer> {
    return ask(this.requester, this.id, options)
  }

  /** Whether the first choice was pressed. Throws like `ask` if nobody decided. */
  async confirm(question: string, options: Partial<AskOptions> = {}): Promise<boolean> {
    return (await this.ask({ ...options, question })).approved
  }

  /**
   * Asks a person to approve, edit, reject or answer what an agent wants to do. Throws like `ask`, and
   * `InvalidRequestError` if the arguments are too long to show.
   */
  review<A extends ReviewType = DefaultReview>(request: ReviewRequest<A>): Promise<Review<A>>
  review(request: ReviewRequest): Promise<Review<ReviewType>> {
    return review(this.requester, this.id, request)
  }

  /** What happens in the channel from now on, or since the event with the id `since`. Reconnects by itself. */
  events(options: EventOptions = {}): AsyncGenerator<ChannelEvent, void, undefined> {
    return followEvents(this.requester, `${this.path}/events`, options)
  }
}
