// The channels of a workspace for other pages, live: their fields, card counts and unread counts.
import { onCleanup } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

export type LiveChannels = ReturnType<typeof createLiveChannels>

export function createLiveChannels(slug: string) {
  const activity = createChannelActivity()
  const [channels, setChannels] = createStore<Record<string, PageChannel | undefined>>({})
  const ignore = () => {}
  const sync = makeWorkspaceSync({
    slug,
    onActivity: activity.update,
    onPage: page => setChannels(reconcile(Object.fromEntries(page.channels.map(one => [one.id, one])))),
    onLink: ignore,
    onRefused: ignore,
  })
  onCleanup(sync.stop)
  return {
    /** Undefined until it is known. */
    channel: (id: string) => channels[id],
    cardCount: activity.cardCount,
    unread: activity.unread,
  }
}
