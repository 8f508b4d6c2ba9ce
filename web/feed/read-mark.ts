// Raises a channel's read mark while its newest cards are on the screen, and counts unread cards.
import { type Accessor, createEffect, createSignal } from 'solid-js'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { NOTHING_READ, type ReadMarks, useReadMarks } from '../data/read-marks.tsx'
import { listen } from '../lib/listen.ts'
import { countUnread } from '../lib/unread.ts'

export function createReadMark(feed: ChannelFeed, unseen: Accessor<number>): void {
  const marks = useReadMarks()
  const isVisible = createPageVisible()
  createEffect(() => {
    const newest = newestPosition(feed)
    if (newest === undefined || !marks.ready() || !isVisible() || feed.scrolled() || unseen() > 0) return
    marks.raise(feed.id, newest ?? NOTHING_READ)
  })
}

export function unreadIn(feed: ChannelFeed, marks: ReadMarks): number {
  return countUnread(newestPosition(feed) ?? null, feed.ids().length, marks.upTo(feed.id))
}

/** null for a channel without cards; undefined before that is known. */
function newestPosition(feed: ChannelFeed): number | null | undefined {
  const [newest] = feed.ids()
  if (newest === undefined) return feed.state.head === null ? undefined : null
  return feed.state.cards[newest]?.position
}

function createPageVisible(): Accessor<boolean> {
  const check = () => document.visibilityState === 'visible'
  const [isVisible, setVisible] = createSignal(check())
  listen(document, 'visibilitychange', () => setVisible(check()))
  return isVisible
}
