// Cards that wait for the viewer and stand too far down to be found: they are shown above all others. Where a card stands
// is decided when it first needs the viewer, and it stays there while the page is open, so that cards don't jump.
import { type Accessor, createMemo } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'

/** As many cards are quickly seen without help. */
const NEAR = 10
/** More would hide what is new. The filter shows all. */
const PINNED_MAX = 3

export function createPinnedCards(
  feed: PageFeed,
  isUnfiltered: Accessor<boolean>,
  needsYou: Accessor<string[]>,
) {
  /** Whether each card that needed the viewer stood far down. */
  let isFar = new Map<string, boolean>()
  const pinned = createMemo<string[]>(before => {
    if (!isUnfiltered()) {
      // Chosen anew later.
      isFar = new Map()
      return []
    }
    const near = new Set(feed.ids().slice(0, NEAR))
    for (const id of needsYou()) if (!isFar.has(id)) isFar.set(id, !near.has(id))
    const kept = before.filter(id => feed.state.cards[id] !== undefined)
    const added = needsYou().filter(id => isFar.get(id) && !kept.includes(id))
    return [...kept, ...added].slice(0, PINNED_MAX)
  }, [])
  const known = createMemo(() => new Set(pinned()))

  return {
    has: (id: string) => known().has(id),
    /** The pinned cards, and below them the others. */
    first: (ids: string[]) =>
      pinned().length === 0 ? ids : [...pinned(), ...ids.filter(id => !known().has(id))],
  }
}
