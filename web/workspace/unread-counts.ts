// The unread marks of a workspace's channels, where nothing else of its page is shown.
import { onCleanup } from 'solid-js'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

/** How many cards of a channel were not seen here; 0 while that is not known. `slug`: null to watch nothing. */
export function createUnreadCounts(slug: string | null): (channelId: string) => number {
  const activity = createChannelActivity()
  if (slug !== null) {
    const ignore = () => {}
    const target = { slug, onActivity: activity.take, onPage: ignore, onLink: ignore, onRefused: ignore }
    onCleanup(makeWorkspaceSync(target).stop)
  }
  return activity.unread
}
