// Which cards the feed shows: all, those that need the viewer, or errors. The choice is in the address. It works on the
// cards that are on this device, so also offline; online, the server adds the cards that wait for the viewer.
import { useSearchParams } from '@solidjs/router'
import { createMemo } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import { needOf } from '../card/needs-you.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { toServerTime } from '../lib/server-clock.ts'
import { sharedNow } from '../ui/time-ago.tsx'
import { createPinnedCards } from './pinned-cards.ts'
import { createWaitingCards } from './waiting-cards.ts'

export const FILTERS = ['all', 'you', 'errors'] as const
export type Filter = (typeof FILTERS)[number]
export type FeedFilter = ReturnType<typeof createFeedFilter>

export function createFeedFilter(feed: PageFeed) {
  const [params, setParams] = useSearchParams<{ show?: string }>()
  const filter = (): Filter => FILTERS.find(name => name === params.show) ?? 'all'
  const isInteractive = () => (feed.state.head ?? feed.view()?.channel)?.mode === 'interactive'
  const waiting = createWaitingCards(feed)

  const tests: Record<Filter, (card: PlacedCard) => boolean> = {
    all: () => true,
    you: ({ blocks }) => needOf(blocks, feed.viewer(), isInteractive(), toServerTime(sharedNow())) === 'you',
    errors: ({ status }) => status === 'error',
  }

  /** The cards of the feed and those apart from it, newest first. */
  const known = createMemo(() => {
    const placed = new Set(feed.ids())
    const others = feed.cardsApart.ids().filter(id => !placed.has(id))
    if (others.length === 0) return feed.ids()
    const position = (id: string) => feed.state.cards[id]?.position ?? 0
    return [...placed, ...others].sort((a, b) => position(b) - position(a))
  })

  function find(name: Filter, among: string[]): string[] {
    // The cards are drawn before they are counted.
    if (!feed.drawn() && filter() !== name) return []
    return among.filter(id => {
      const card = feed.state.cards[id]
      return card !== undefined && tests[name](card)
    })
  }

  const needsYou = createMemo(() => find('you', known()), undefined, { equals: isSameList })
  const errors = createMemo(() => find('errors', feed.ids()), undefined, { equals: isSameList })
  const pinned = createPinnedCards(feed, () => filter() === 'all', needsYou)
  let chosen: Filter = 'all'
  /** A card that no longer fits stays until the filter is chosen again, so that the viewer sees what became of it. */
  const ids = createMemo<string[]>(
    before => {
      const name = filter()
      const kept = new Set(name === chosen ? before : [])
      chosen = name
      if (name === 'all') return pinned.first(feed.ids())
      for (const id of name === 'you' ? needsYou() : errors()) kept.add(id)
      return known().filter(id => kept.has(id))
    },
    [],
    { equals: isSameList },
  )

  return {
    filter,
    ids,
    needsYou,
    isPinned: pinned.has,
    waiting,
    setFilter: (next: Filter) =>
      setParams({ show: next === 'all' ? undefined : next }, { replace: true, scroll: false }),
    count(name: Filter): number {
      if (name === 'all') return 0
      return name === 'you' ? needsYou().length + waiting.unread() : errors().length
    },
  }
}

const isSameList = (a: string[], b: string[]) => a.length === b.length && a.every((id, i) => id === b[i])
