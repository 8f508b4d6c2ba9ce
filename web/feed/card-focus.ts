// Moves the focus from card to card, and keeps it in the feed when a card is deleted.
import { type Accessor, createEffect, on, onMount } from 'solid-js'
import type { VirtualizerHandle } from 'virtua/solid'
import type { ListChange } from '../lib/list-change.ts'
import { painted } from '../lib/painted.ts'
import { createShortcuts, isTypedInto } from '../ui/shortcuts.ts'
import type { ReadingPosition } from './reading-position.ts'

/** How many frames a card is waited for. */
const REVEAL_FRAMES = 60
/** What Enter goes to: a field or a button, else a link, else the menu. */
const CONTROLS = ['.blocks :is(input, select, textarea, button):not(:disabled)', 'a[href]', 'button']

export function createCardFocus(
  position: ReadingPosition,
  list: Accessor<VirtualizerHandle | undefined>,
  scroller: () => HTMLElement | undefined,
) {
  /** Stays when the card is deleted. */
  let lastFocused: string | null = null
  /** The card that takes the focus in the next frame: keys may come faster than frames. */
  let nextFocused: string | null = null

  createEffect(on(position.list, focusAfterDelete))
  createShortcuts({ next: () => move(1), previous: () => move(-1), newest: () => focusAt(0) })
  // The feed takes the focus, so that keys scroll it; after the first frame, because a focus forces a layout.
  onMount(() => painted().then(keepInFeed))

  const focusScroller = () => scroller()?.focus({ preventScroll: true })

  const toTop = () => goUp(scroller())

  function keepInFeed(): void {
    if (document.activeElement === document.body) focusScroller()
  }

  /** Page Down and Page Up move from card to card, as screen readers expect of a feed. */
  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Enter') return openControls(event)
    const by = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0
    if (by === 0 || position.focused() === null || isTypedInto(event.target)) return
    event.preventDefault()
    move(by)
  }

  function move(by: number): void {
    const at = position.list().ids.indexOf(nextFocused ?? position.focused() ?? '')
    focusAt(at < 0 ? position.firstVisible() : at + by)
  }

  function focusAt(index: number): void {
    const id = position.list().ids[index]
    if (id === undefined) return
    nextFocused = id
    list()?.scrollToIndex(index, { align: 'nearest' })
    requestAnimationFrame(() => {
      if (nextFocused !== id) return
      nextFocused = null
      focusCard(id)
    })
  }

  function focusAfterDelete(now: ListChange, before: ListChange | undefined): void {
    const at = before?.ids.indexOf(lastFocused ?? '') ?? -1
    if (at < 0 || now.ids.includes(lastFocused ?? '')) return
    const next = now.ids[Math.min(at, now.ids.length - 1)]
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      if (next === undefined) focusScroller()
      else focusCard(next)
    })
  }

  /** Scrolls to the card, and focuses it once the list has drawn it. */
  function reveal(id: string, frames = REVEAL_FRAMES): void {
    requestAnimationFrame(() => {
      const index = position.list().ids.indexOf(id)
      if (index >= 0) list()?.scrollToIndex(index, { align: 'center' })
      if (!focusCard(id) && frames > 0) reveal(id, frames - 1)
    })
  }

  /** Returns false if the list hasn't drawn the card. */
  function focusCard(id: string): boolean {
    const card = scroller()?.querySelector(`[data-card-id="${CSS.escape(id)}"]`)
    if (!(card instanceof HTMLElement)) return false
    card.focus({ preventScroll: true })
    // The list puts a card at the edge of the screen, where the bar may cover it.
    card.scrollIntoView({ block: 'nearest' })
    return document.activeElement === card
  }

  function onFocusIn(event: FocusEvent): void {
    lastFocused = cardIdOf(event.target)
    position.setFocused(lastFocused)
  }

  const onFocusOut = (event: FocusEvent) => position.setFocused(cardIdOf(event.relatedTarget))

  return { onKey, toTop, onFocusIn, onFocusOut, focusScroller, keepInFeed, reveal }
}

function cardIdOf(target: EventTarget | null): string | null {
  const card = target instanceof Element ? target.closest('[data-card-id]') : null
  return card?.getAttribute('data-card-id') ?? null
}

/** Enter on a card goes to its first field or button. */
function openControls(event: KeyboardEvent): void {
  const { target } = event
  if (!(target instanceof HTMLElement) || !target.matches('[data-card-id]')) return
  const control = CONTROLS.map(which => target.querySelector<HTMLElement>(which)).find(Boolean)
  if (!control) return
  event.preventDefault()
  control.focus()
}

function goUp(scroller: HTMLElement | undefined): void {
  if (!scroller) return
  scroller.focus({ preventScroll: true })
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches
  // On a long way the list would measure every card, and stop the movement with each correction.
  const isFar = scroller.scrollTop > 2 * scroller.clientHeight
  scroller.scrollTo({ top: 0, behavior: isCalm || isFar ? 'instant' : 'smooth' })
}
