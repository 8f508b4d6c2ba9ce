// Raises a channel's mark while somebody sees its newest cards, and counts what came since.
import { type Accessor, createEffect, createSignal, onCleanup } from 'solid-js'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { NOTHING_READ, type ReadMarks, useReadMarks } from '../data/read-marks.tsx'
import { countUnread } from '../lib/unread.ts'

/** `unseen`: how many cards came above what is on the screen. */
export function createReadingMark(feed: ChannelFeed, unseen: Accessor<number>): void {
  const marks = useReadMarks()
  const visible = createVisible()
  createEffect(() => {
    const newest = newestPosition(feed)
    if (newest === undefined || !marks.ready() || !visible() || feed.scrolled() || unseen() > 0) return
    marks.raise(feed.id, newest ?? NOTHING_READ)
  })
}

/** How many of the cards that are here came since. */
export function unreadIn(feed: ChannelFeed, marks: ReadMarks): number {
  return countUnread(newestPosition(feed) ?? null, feed.ids().length, marks.upTo(feed.id))
}

/** null: the channel has no cards; undefined: that is not known yet. */
function newestPosition(feed: ChannelFeed): number | null | undefined {
  const [newest] = feed.ids()
  if (newest === undefined) return feed.state.head === null ? undefined : null
  return feed.state.cards[newest]?.position
}

function createVisible(): Accessor<boolean> {
  const look = () => document.visibilityState === 'visible'
  const [visible, setVisible] = createSignal(look())
  const onChange = () => setVisible(look())
  document.addEventListener('visibilitychange', onChange)
  onCleanup(() => document.removeEventListener('visibilitychange', onChange))
  return visible
}
