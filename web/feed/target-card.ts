// Finds the card that the address names, in older pages too, and shows it once.

import { useSearchParams } from '@solidjs/router'
import { createEffect, createSignal, on, untrack } from 'solid-js'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { isUpToDate } from '../lib/reconnect.ts'
import { CARD } from './permalink.ts'

/** Pages of older cards that are read at once. */
const PAGES_MAX = 20

export type Missing = 'deleted' | 'older' | 'offline'

export function createTargetCard(feed: PageFeed, show: (cardId: string) => void) {
  const [params] = useSearchParams<{ [CARD]?: string }>()
  const id = () => params[CARD]
  const [pagesLeft, setPagesLeft] = createSignal(PAGES_MAX)
  /** The card that was shown. The device's copy may have it although it is deleted. */
  const [found, setFound] = createSignal<string>()

  createEffect(on([id, feed.ids, feed.archive.state, () => feed.link().state], look))

  function look(): void {
    const wanted = id()
    if (wanted === undefined) return
    if (feed.ids().includes(wanted)) {
      if (wanted === found()) return
      setFound(wanted)
      show(wanted)
    } else if (isUpToDate(feed.link()) && feed.archive.state() === 'idle' && pagesLeft() > 0) {
      feed.archive.showNext()
      // Nothing loads until the page knows where the archive begins.
      if (untrack(feed.archive.state) === 'loading') setPagesLeft(left => left - 1)
    }
  }

  function lookFurther(): void {
    setPagesLeft(PAGES_MAX)
    look()
  }

  /** Why the card isn't shown. */
  function missing(): Missing | undefined {
    const wanted = id()
    const known = feed.ids()
    if (wanted === undefined || known.includes(wanted)) return undefined
    if (feed.link().state === 'offline' && known.length > 0) return 'offline'
    if (!isUpToDate(feed.link())) return undefined
    if (feed.archive.state() === 'complete') return 'deleted'
    return pagesLeft() === 0 && feed.archive.state() === 'idle' ? 'older' : undefined
  }

  return { id: found, missing, lookFurther }
}
