// Which cards the feed shows: all, those that need the viewer, or errors. The choice is in the address, and works on the
// cards that are on this device, so also offline.
import { useSearchParams } from '@solidjs/router'
import { createMemo } from 'solid-js'
import type { PlacedCard } from '../../shared/card.ts'
import { needOf } from '../card/needs-you.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { toServerTime } from '../lib/server-clock.ts'
import { sharedNow } from '../ui/time-ago.tsx'

export const FILTERS = ['all', 'you', 'errors'] as const
export type Filter = (typeof FILTERS)[number]
export type FeedFilter = ReturnType<typeof createFeedFilter>

export function createFeedFilter(feed: PageFeed) {
  const [params, setParams] = useSearchParams<{ show?: string }>()
  const filter = (): Filter => FILTERS.find(name => name === params.show) ?? 'all'
  const isInteractive = () => (feed.state.head ?? feed.view()?.channel)?.mode === 'interactive'

  const tests: Record<Filter, (card: PlacedCard) => boolean> = {
    all: () => true,
    you: ({ blocks }) => needOf(blocks, feed.viewer(), isInteractive(), toServerTime(sharedNow())) === 'you',
    errors: ({ status }) => status === 'error',
  }

  function find(name: Filter): string[] {
    // The cards are drawn before they are counted.
    if (!feed.drawn() && filter() !== name) return []
    return feed.ids().filter(id => {
      const card = feed.state.cards[id]
      return card !== undefined && tests[name](card)
    })
  }

  const needsYou = createMemo(() => find('you'), undefined, { equals: isSameList })
  const errors = createMemo(() => find('errors'), undefined, { equals: isSameList })
  let chosen: Filter = 'all'
  /** A card that no longer fits stays until the filter is chosen again, so that the viewer sees what became of it. */
  const ids = createMemo<string[]>(
    before => {
      const name = filter()
      const kept = new Set(name === chosen ? before : [])
      chosen = name
      if (name === 'all') return feed.ids()
      for (const id of name === 'you' ? needsYou() : errors()) kept.add(id)
      return feed.ids().filter(id => kept.has(id))
    },
    [],
    { equals: isSameList },
  )

  return {
    filter,
    ids,
    needsYou,
    setFilter: (next: Filter) =>
      setParams({ show: next === 'all' ? undefined : next }, { replace: true, scroll: false }),
    count: (name: Filter) => (name === 'all' ? 0 : name === 'you' ? needsYou().length : errors().length),
  }
}

const isSameList = (a: string[], b: string[]) => a.length === b.length && a.every((id, i) => id === b[i])
