// The channels of a workspace for other pages: as read, with what has changed since then, live.
import { onCleanup } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { PageChannel } from '../../shared/workspace-live.ts'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

export function createLiveChannels(slug: string) {
  const activity = createChannelActivity()
  const [heads, setHeads] = createStore<Record<string, PageChannel | undefined>>({})
  const ignore = () => {}
  const sync = makeWorkspaceSync({
    slug,
    onActivity: activity.update,
    onPage: page => setHeads(reconcile(Object.fromEntries(page.channels.map(head => [head.id, head])))),
    onLink: ignore,
    onRefused: ignore,
  })
  onCleanup(sync.stop)

  /** `unread`: on this device; 0 until it is known. */
  function now(channel: SummarizedChannel): SummarizedChannel & { unread: number } {
    const { name, icon, description, mode } = heads[channel.id] ?? channel
    const { last_card, waiting, needs_you, webhook = channel.webhook } = activity.summary(channel)
    return {
      ...channel,
      ...{ name, icon, description, mode, last_card, waiting, needs_you, webhook },
      card_count: activity.cardCount(channel),
      unread: activity.unread(channel.id),
    }
  }

  return { now }
}
