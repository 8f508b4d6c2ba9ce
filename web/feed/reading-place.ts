// Keeps a reader's place in the list: who reads further down, or fills in a card, is not moved by what arrives.
import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'
import type { VirtualizerHandle } from 'virtua/solid'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { countAbove, type ListChange, planChange } from '../lib/list-change.ts'

/** So far from the top still counts as being there. */
const TOP_PX = 24

export function createReadingPlace(feed: ChannelFeed, handle: Accessor<VirtualizerHandle | undefined>) {
  const [list, setList] = createSignal<ListChange>({ ids: feed.ids(), shift: false })
  const [focused, setFocused] = createSignal<string | null>(null)
  /** Cards that came above while the place was held. */
  const [above, setAbove] = createSignal<ReadonlySet<string>>(new Set())
  const unseen = createMemo(() => {
    const came = above()
    return came.size === 0 ? 0 : list().ids.filter(id => came.has(id)).length
  })
  const [arrived, setArrived] = createSignal(0)
  /** The card with the focus stays in the page wherever it is scrolled to. */
  const keepMounted = createMemo(() => {
    const index = list().ids.indexOf(focused() ?? '')
    return index < 0 ? [] : [index]
  })

  createEffect(on(feed.ids, follow, { defer: true }))

  function follow(next: string[]): void {
    const before = list().ids
    const held = feed.scrolled() || focused() !== null
    const [first, second] = planChange(before, next, held ? firstVisible() : null)
    setList(first)
    // The list must have taken the first step before the second; nothing is painted in between.
    if (second) queueMicrotask(() => feed.ids() === next && setList(second))
    if (before.length === 0) return
    const came = next.slice(0, countAbove(before, next))
    setArrived(count => count + came.length)
    if (held && came.length > 0) setAbove(known => new Set([...known, ...came]))
  }

  function firstVisible(): number {
    const shown = handle()
    return shown ? shown.findItemIndex(shown.scrollOffset) : 0
  }

  function onScroll(offset: number): void {
    feed.setScrolled(offset > TOP_PX)
    if (offset <= TOP_PX && above().size > 0) setAbove(new Set<string>())
  }

  return { list, keepMounted, unseen, arrived, focused, setFocused, firstVisible, onScroll }
}
