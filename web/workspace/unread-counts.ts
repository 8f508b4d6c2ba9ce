// The unread counts of a workspace's channels, for pages that show nothing else of the workspace.
import { onCleanup } from 'solid-js'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

/** 0 until a channel's count is known. A `slug` of null watches nothing. */
export function createUnreadCounts(slug: string | null): (channelId: string) => number {
  const activity = createChannelActivity()
  if (slug !== null) {
    const ignore = () => {}
    const target = { slug, onActivity: activity.update, onPage: ignore, onLink: ignore, onRefused: ignore }
    onCleanup(makeWorkspaceSync(target).stop)
  }
  return activity.unread
}
