// Provides an open channel's feed, and shows its cards in it.
import type { ParentProps } from 'solid-js'
import { CardHostContext } from '../card/card-host.ts'
import { FeedContext, type PageFeed } from '../data/channel/page-feed.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { fetchLooks } from '../data/viewer-requests.ts'

/** The document's head is newer than the view's, and available offline. */
export const headOf = (feed: PageFeed) => feed.state.head ?? feed.view()?.channel

/** `feed` is read once. */
export function FeedProvider(props: ParentProps<{ feed: PageFeed }>) {
  const { feed } = props
  const host = {
    channel_id: feed.id,
    cardOf: (id: string) => feed.state.cards[id],
    mode: () => headOf(feed)?.mode,
    link: feed.link,
    drafts: feed.drafts,
    outbox: useOutbox(),
    viewer: feed.viewer,
    refreshView: feed.refreshView,
    fetchLooks: () => fetchLooks(feed.id),
    canEdit: () => feed.view()?.can_edit ?? false,
    byName: feed.byName,
  }
  return (
    <FeedContext.Provider value={feed}>
      <CardHostContext.Provider value={host}>{props.children}</CardHostContext.Provider>
    </FeedContext.Provider>
  )
}
