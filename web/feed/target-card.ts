// Finds the card that the address names, in older pages too, and shows it once.
import { useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, on } from 'solid-js'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { CARD } from './permalink.ts'

/** Pages of older cards that are read at once. */
const PAGES_MAX = 20

export function createTargetCard(feed: ChannelFeed, show: (cardId: string) => void) {
  const [params] = useSearchParams<{ [CARD]?: string }>()
  const id = () => params[CARD]
  const [pagesLeft, setPagesLeft] = createSignal(PAGES_MAX)
  /** The card that was shown. It doesn't count as missing if it is deleted later. */
  const [found, setFound] = createSignal<string>()

  createEffect(
    on(
      [id, feed.ids, feed.archive.state, () => feed.link().state, pagesLeft],
      ([wanted, ids, archive, link]) => {
        if (wanted === undefined || wanted === found()) return
        if (ids.includes(wanted)) {
          setFound(wanted)
          show(wanted)
        } else if (link === 'live' && archive === 'idle' && pagesLeft() > 0) {
          setPagesLeft(left => left - 1)
          feed.archive.showNext()
        }
      },
    ),
  )

  /** Why the card isn't shown. */
  function missing(): 'deleted' | 'older' | undefined {
    if (id() === undefined || id() === found() || feed.link().state !== 'live') return undefined
    if (feed.archive.state() === 'complete') return 'deleted'
    return pagesLeft() === 0 && feed.archive.state() === 'idle' ? 'older' : undefined
  }

  return { id: found, missing, lookFurther: () => setPagesLeft(PAGES_MAX) }
}
