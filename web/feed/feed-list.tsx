// The list of cards. Only those near the screen are in the page; older ones are asked for before they are needed.
import { createEffect, createSignal, type JSX, on, onCleanup, onMount, Show, untrack } from 'solid-js'
import { Virtualizer, type VirtualizerHandle } from 'virtua/solid'
import { Card } from '../card/card.tsx'
import { useFeed } from '../data/channel/feed-context.ts'
import type { ListChange } from '../lib/list-change.ts'
import { createShortcuts, isTypedInto } from '../ui/shortcuts.ts'
import { FeedEnd } from './feed-end.tsx'
import { Announcer, NewCardsPill } from './new-cards.tsx'
import { createReadingMark } from './reading-mark.ts'
import { createReadingPlace } from './reading-place.ts'

/** Older cards are asked for while fewer than this are below the screen. */
const AHEAD = 12

/** So many cards are drawn before the list knows the height of its window: a frame sooner than it would by itself. */
const AT_ONCE = [0, 1, 2]

/** `top` scrolls away above the cards. */
export function FeedList(props: { top: JSX.Element }): JSX.Element {
  const feed = useFeed()
  const [handle, setHandle] = createSignal<VirtualizerHandle>()
  const [topHeight, setTopHeight] = createSignal(0)
  const [isMeasured, setMeasured] = createSignal(false)
  const place = createReadingPlace(feed, handle)
  createReadingMark(feed, place.unseen)
  const total = () => (feed.archive.state() === 'complete' ? place.list().ids.length : -1)
  let scroller: HTMLElement | undefined
  const scrollerElement = () => scroller

  /** The card that had the focus last, also when it is gone. */
  let lastFocused: string | null = null
  /** The card that the focus is on its way to: keys may be faster than frames. */
  let aim: string | null = null

  createEffect(on([feed.archive.state, place.list], askForOlder))
  createEffect(on(place.list, keepFocus))
  createShortcuts({ next: () => move(1), previous: () => move(-1), newest: () => focusAt(0) })
  // Keys scroll the cards, unless somebody is elsewhere on the page. Not now: a focus makes the browser lay out
  // the page, and the cards come in the same frame.
  onMount(() =>
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) scroller?.focus({ preventScroll: true })
    }),
  )

  function askForOlder(): void {
    const shown = handle()
    if (!shown || feed.archive.state() !== 'idle') return
    const last = shown.findItemIndex(shown.scrollOffset + shown.viewportSize)
    if (last >= place.list().ids.length - AHEAD) feed.archive.showNext()
  }

  function onScroll(offset: number): void {
    place.onScroll(offset)
    askForOlder()
  }

  /** The button that was pressed goes, and the focus not with it. */
  function toTop(): void {
    scroller?.focus({ preventScroll: true })
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
    scroller?.scrollTo({ top: 0, behavior: calm ? 'instant' : 'smooth' })
  }

  /** Page Down and Page Up step from card to card, as screen readers expect of a feed. */
  function step(event: KeyboardEvent): void {
    const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0
    if (by === 0 || place.focused() === null || isTypedInto(event.target)) return
    event.preventDefault()
    move(by)
  }

  /** From the card that has the focus; else to the first on the screen. */
  function move(by: number): void {
    const at = place.list().ids.indexOf(aim ?? place.focused() ?? '')
    focusAt(at < 0 ? place.firstVisible() : at + by)
  }

  function focusAt(index: number): void {
    const id = place.list().ids[index]
    if (id === undefined) return
    aim = id
    handle()?.scrollToIndex(index, { align: 'nearest' })
    requestAnimationFrame(() => {
      if (aim !== id) return
      aim = null
      focusCard(id)
    })
  }

  /** Where the card with the focus is deleted, the one in its place takes it. */
  function keepFocus(now: ListChange, before: ListChange | undefined): void {
    const at = before?.ids.indexOf(lastFocused ?? '') ?? -1
    if (at < 0 || now.ids.includes(lastFocused ?? '')) return
    const next = now.ids[Math.min(at, now.ids.length - 1)]
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      if (next === undefined) scroller?.focus({ preventScroll: true })
      else focusCard(next)
    })
  }

  function onFocusIn(event: FocusEvent): void {
    lastFocused = cardIdOf(event.target)
    place.setFocused(lastFocused)
  }

  function focusCard(id: string): void {
    const card = scroller?.querySelector(`[data-card-id="${CSS.escape(id)}"]`)
    if (card instanceof HTMLElement) card.focus({ preventScroll: true })
  }

  return (
    <main class="feed-scroller" ref={scroller} tabIndex={-1} onKeyDown={step}>
      <MeasuredTop onHeight={setTopHeight}>{props.top}</MeasuredTop>
      <NewCardsPill count={place.unseen()} onClick={toTop} />
      <Announcer count={place.arrived()} name={(feed.state.head ?? feed.view()?.channel)?.name} />
      {/* A feed without an article is none. */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both of its roles have a name */}
      <div
        class="feed"
        role={place.list().ids.length > 0 ? 'feed' : 'group'}
        aria-label="Cards, newest first"
        aria-busy={feed.archive.state() === 'loading'}
        onFocusIn={onFocusIn}
        onFocusOut={event => place.setFocused(cardIdOf(event.relatedTarget))}
      >
        <Virtualizer
          ref={setHandle}
          data={place.list().ids}
          shift={place.list().shift}
          keepMounted={isMeasured() ? place.keepMounted() : AT_ONCE}
          startMargin={topHeight()}
          scrollRef={scrollerElement()}
          bufferSize={600}
          onScroll={onScroll}
          onResize={() => setMeasured(true)}
        >
          {(id, index) => (
            <Show when={feed.state.cards[id]}>
              {card => (
                <div class="feed-item" classList={{ 'feed-item-at-once': !untrack(isMeasured) }}>
                  <Card card={card()} position={index() + 1} total={total()} />
                </div>
              )}
            </Show>
          )}
        </Virtualizer>
      </div>
      <FeedEnd />
    </main>
  )
}

function MeasuredTop(props: { children: JSX.Element; onHeight: (height: number) => void }): JSX.Element {
  let top: HTMLDivElement | undefined
  onMount(() => {
    if (!top) return
    const measured = top
    const observer = new ResizeObserver(() => props.onHeight(measured.offsetHeight))
    observer.observe(measured)
    onCleanup(() => observer.disconnect())
  })
  return (
    <div class="feed-top" ref={top}>
      {props.children}
    </div>
  )
}

function cardIdOf(target: EventTarget | null): string | null {
  if (!(target instanceof Element)) return null
  return target.closest('[data-card-id]')?.getAttribute('data-card-id') ?? null
}
