// The open channel's feed, for the components below.
import { createRequiredContext } from '../../lib/required-context.ts'
import type { ChannelFeed } from './channel-feed.ts'

export const [FeedContext, useFeed] = createRequiredContext<ChannelFeed>('FeedContext')
