// Raises a channel's read mark while its newest cards are on the screen, counts unread cards, and knows which came while the
// viewer was away.

import { type Accessor, batch, createEffect, createMemo, createSignal, untrack } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { NOTHING_READ, type ReadMarks, useReadMarks } from '../data/read-marks.tsx'
import { listen } from '../lib/listen.ts'
import { isUpToDate } from '../lib/reconnect.ts'
import { countUnread } from '../lib/unread.ts'
import type { FeedFilter } from './feed-filter.ts'
import type { OwnActs } from './own-acts.ts'

/**
 * `filter`: the cards it hides stay unread. `unseen`: how many cards are above the screen. `isOwn`: whether the viewer acted on
 * a card, which then counts as read.
 */
export function createReadMark(
  feed: PageFeed,
  filter: FeedFilter,
  unseen: Accessor<number>,
  isOwn: OwnActs,
): NewCards {
  const marks = useReadMarks()
  const isVisible = createPageVisible()
  const { begin, newCards } = createNewCards(feed, filter, isOwn)
  let isAway = true
  createEffect(() => {
    const newest = newestPosition(feed)
    if (!marks.ready()) return
    if (!isVisible()) isAway = true
    else if (isAway) {
      isAway = false
      begin(untrack(() => marks.upTo(feed.id)))
    }
    if (newest === undefined || !isVisible() || feed.scrolled() || unseen() > 0) return
    if (filter.filter() !== 'all') return
    marks.raise(feed.id, newest ?? NOTHING_READ)
  })
  createEffect(() => {
    const readUpTo = marks.ready() ? marks.upTo(feed.id) : undefined
    if (readUpTo === undefined) return
    const ids = feed.ids()
    const firstRead = ids.findIndex(id => (feed.state.cards[id]?.position ?? 0) <= readUpTo)
    const next = feed.state.cards[ids[firstRead - 1] ?? '']
    if (next && isOwn(next)) marks.raise(feed.id, next.position)
  })
  return newCards
}

export type NewCards = { count: Accessor<number>; isNew: (card: PlacedCard | undefined) => boolean }

/** The cards that came while the viewer was away. Cards that come later, while the page is live, don't count. */
function createNewCards(feed: PageFeed, filter: FeedFilter, isOwn: OwnActs) {
  const [since, setSince] = createSignal<number>()
  const [until, setUntil] = createSignal<number>()
  createEffect(() => {
    const newest = newestPosition(feed)
    if (since() === undefined || untrack(until) !== undefined || !isUpToDate(feed.link())) return
    setUntil(newest ?? NOTHING_READ)
  })

  function begin(readUpTo: number | undefined): void {
    batch(() => {
      setSince(readUpTo)
      setUntil(undefined)
    })
  }

  const isNew = (card: PlacedCard | undefined) => card !== undefined && card.position > (since() ?? Infinity)
  const count = createMemo(() => {
    const end = until() ?? Infinity
    let count = 0
    for (const id of filter.ids()) {
      if (filter.isPinned(id)) continue
      const card = feed.state.cards[id]
      if (!isNew(card)) break
      if (card && card.position <= end && !isOwn(card)) count++
    }
    return count
  })
  return { begin, newCards: { count, isNew } }
}

export function unreadIn(feed: PageFeed, marks: ReadMarks): number {
  return countUnread(newestPosition(feed) ?? null, feed.ids().length, marks.upTo(feed.id))
}

/** null for a channel without cards; undefined before that is known. */
function newestPosition(feed: PageFeed): number | null | undefined {
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
