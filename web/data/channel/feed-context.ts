// The open channel's feed, for the components below.
import { createContext, useContext } from 'solid-js'
import type { ChannelFeed } from './channel-feed.ts'

export const FeedContext = createContext<ChannelFeed>()

export function useFeed(): ChannelFeed {
  const feed = useContext(FeedContext)
  if (!feed) throw new Error('useFeed needs a FeedContext around it')
  return feed
}
