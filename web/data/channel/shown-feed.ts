// The feed that is on the screen, for what stands outside of it: the palette searches its cards.
import { createSignal, onCleanup } from 'solid-js'
import type { PageFeed } from './page-feed.ts'

type ShownFeed = {
  feed: PageFeed
  /** Scrolls to a card of the feed, and focuses it. */
  show: (cardId: string) => void
}

const [shownFeed, setShownFeed] = createSignal<ShownFeed>()

export { shownFeed }

/** Until the calling component is removed. */
export function showFeed(feed: PageFeed, show: (cardId: string) => void): void {
  const shown = { feed, show }
  setShownFeed(shown)
  onCleanup(() => setShownFeed(now => (now === shown ? undefined : now)))
}
