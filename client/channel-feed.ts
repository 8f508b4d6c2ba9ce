// The client for programs. Types come from the schemas in shared/.
import { ChannelHandle } from './channel.ts'
import { DecisionHandle } from './decision.ts'
import { fromEnvironment, invalidInput } from './requester.ts'
import { ServiceRequests } from './service-requests.ts'

export class ChannelFeed extends ServiceRequests {
  /** Default: the channel `CHANNEL_FEED_CHANNEL`. */
  override channel(id = fromEnvironment('CHANNEL_FEED_CHANNEL')): ChannelHandle {
    if (!id) throw invalidInput('channel', 'is required: name it, or set CHANNEL_FEED_CHANNEL')
    return new ChannelHandle(this.requester, id)
  }

  /** `handle`: `{channel_id}/{decision_id}`, as questions and their errors carry it. */
  decision(handle: string): DecisionHandle {
    return new DecisionHandle(this.requester, handle)
  }
}
