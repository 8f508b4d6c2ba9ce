// Keeps the reader's position in the list: new cards don't move a reader who is further down or has a card focused.
import { type Accessor, createEffect, createMemo, createSignal, on } from 'solid-js'
import type { VirtualizerHandle } from 'virtua/solid'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { countAbove, type ListChange, planChange } from '../lib/list-change.ts'
import { createPrinting } from '../lib/media.ts'
import type { FeedFilter, Filter } from './feed-filter.ts'
import type { OwnActs } from './own-acts.ts'

const TOP_PX = 24

export type ReadingPosition = ReturnType<typeof createReadingPosition>

/** `covered`: how much of the screen's top a bar covers, in pixels. `isOwn`: whether the viewer acted on a card. */
export function createReadingPosition(
  feed: PageFeed,
  filter: FeedFilter,
  handle: Accessor<VirtualizerHandle | undefined>,
  covered: Accessor<number>,
  isOwn: OwnActs,
) {
  const [list, setList] = createSignal<ListChange>({ ids: filter.ids(), shift: false })
  let shown = filter.filter()
  const printing = createPrinting()
  const [scrolledTo, setTop] = createSignal(0)
  /** The first card on the screen or on the paper. */
  const top = () => (printing() ? 0 : scrolledTo())
  const [focused, setFocused] = createSignal<string | null>(null)
  /** Cards that arrived above while the position was held. */
  const [above, setAbove] = createSignal<ReadonlySet<string>>(new Set())
  const unseen = createMemo(() => {
    const added = above()
    if (added.size === 0) return 0
    const isNews = (id: string) => {
      const card = feed.state.cards[id]
      return added.has(id) && card !== undefined && !isOwn(card)
    }
    return list().ids.filter(isNews).length
  })
  const [arrived, setArrived] = createSignal(0)
  const keepMounted = createMemo(() => {
    if (printing()) return [...list().ids.keys()]
    const index = list().ids.indexOf(focused() ?? '')
    return index < 0 ? [] : [index]
  })

  createEffect(on([filter.filter, filter.ids], ([name, next]) => follow(next, name), { defer: true }))

  function follow(next: string[], name: Filter): void {
    if (name !== shown) return showFilter(next, name)
    const before = list().ids
    if (before === next) return
    const isHeld = feed.scrolled() || focused() !== null
    const [first, second] = planChange(before, next, isHeld ? firstVisible() : null)
    setList(first)
    // The list must apply the first step before the second. Nothing is painted in between.
    if (second) queueMicrotask(() => filter.ids() === next && setList(second))
    if (before.length === 0) return
    const news = next.filter(id => !filter.isPinned(id))
    const added = news.slice(0, countAbove(before, news))
    setArrived(count => count + added.length)
    if (isHeld && added.length > 0) setAbove(known => new Set([...known, ...added]))
  }

  function showFilter(next: string[], name: Filter): void {
    shown = name
    setAbove(new Set<string>())
    setList({ ids: next, shift: false })
    handle()?.scrollTo(0)
    setTop(0)
  }

  function firstVisible(): number {
    const virtual = handle()
    return virtual ? virtual.findItemIndex(virtual.scrollOffset + covered()) : 0
  }

  function onScroll(offset: number): void {
    feed.setScrolled(offset > TOP_PX)
    setTop(handle()?.findItemIndex(offset) ?? 0)
    if (above().size > 0) see(offset)
  }

  /** Those that are on the screen now, or were a moment ago. */
  function see(offset: number): void {
    const hidden = offset <= TOP_PX ? [] : list().ids.slice(0, firstVisible())
    const left = hidden.filter(id => above().has(id))
    if (left.length < above().size) setAbove(new Set(left))
  }

  return { list, top, keepMounted, unseen, arrived, focused, setFocused, firstVisible, onScroll }
}
