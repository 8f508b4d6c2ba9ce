// The unread counts of a workspace's channels, for other pages.
import { onCleanup } from 'solid-js'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

/** 0 until the count is known. Without a `slug` all counts are 0. */
export function createUnreadCounts(slug: string | null): (channelId: string) => number {
  const activity = createChannelActivity()
  if (slug !== null) {
    const ignore = () => {}
    const target = { slug, onActivity: activity.update, onPage: ignore, onLink: ignore, onRefused: ignore }
    onCleanup(makeWorkspaceSync(target).stop)
  }
  return activity.unread
}
