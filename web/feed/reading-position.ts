// Keeps the reader's position in the list: new cards don't move a reader who is further down or has a card focused.
import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'
import type { VirtualizerHandle } from 'virtua/solid'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { countAbove, type ListChange, planChange } from '../lib/list-change.ts'

const TOP_PX = 24

export type ReadingPosition = ReturnType<typeof createReadingPosition>

export function createReadingPosition(feed: ChannelFeed, handle: Accessor<VirtualizerHandle | undefined>) {
  const [list, setList] = createSignal<ListChange>({ ids: feed.ids(), shift: false })
  const [focused, setFocused] = createSignal<string | null>(null)
  /** Cards that arrived above while the position was held. */
  const [above, setAbove] = createSignal<ReadonlySet<string>>(new Set())
  const unseen = createMemo(() => {
    const added = above()
    return added.size === 0 ? 0 : list().ids.filter(id => added.has(id)).length
  })
  const [arrived, setArrived] = createSignal(0)
  const keepMounted = createMemo(() => {
    const index = list().ids.indexOf(focused() ?? '')
    return index < 0 ? [] : [index]
  })

  createEffect(on(feed.ids, follow, { defer: true }))

  function follow(next: string[]): void {
    const before = list().ids
    const isHeld = feed.scrolled() || focused() !== null
    const [first, second] = planChange(before, next, isHeld ? firstVisible() : null)
    setList(first)
    // The list must apply the first step before the second. Nothing is painted in between.
    if (second) queueMicrotask(() => feed.ids() === next && setList(second))
    if (before.length === 0) return
    const added = next.slice(0, countAbove(before, next))
    setArrived(count => count + added.length)
    if (isHeld && added.length > 0) setAbove(known => new Set([...known, ...added]))
  }

  function firstVisible(): number {
    const virtual = handle()
    return virtual ? virtual.findItemIndex(virtual.scrollOffset) : 0
  }

  function onScroll(offset: number): void {
    feed.setScrolled(offset > TOP_PX)
    if (offset <= TOP_PX && above().size > 0) setAbove(new Set<string>())
  }

  return { list, keepMounted, unseen, arrived, focused, setFocused, firstVisible, onScroll }
}
