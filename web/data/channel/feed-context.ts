// The channel that the page shows, for the components below it.
import { createContext, useContext } from 'solid-js'
import type { ChannelFeed } from './channel-feed.ts'

export const FeedContext = createContext<ChannelFeed>()

export function useFeed(): ChannelFeed {
  const feed = useContext(FeedContext)
  if (!feed) throw new Error('useFeed needs a FeedContext around it')
  return feed
}
