// Keeps the focus where one was: where another layout takes the place of what had it, or the channel that had it goes,
// the search box, or else the channel's link or tab, takes it.
import { type Accessor, createComputed, createEffect, on } from 'solid-js'

const SEARCH = '.search input'
const CHANNEL = '[role="tab"][aria-selected="true"], .side-line[tabindex="0"], .channels a, .tile-name'

/** `shown`: what the list is drawn from. */
export function createKeptFocus(shown: Accessor<unknown>): void {
  let had: Element | null = null
  createComputed(on(shown, () => (had = focused()), { defer: true }))
  createEffect(
    on(
      shown,
      () => {
        if (had === null || focused() !== null) return
        const places = had.matches(SEARCH) ? `${SEARCH}, ${CHANNEL}` : CHANNEL
        document.querySelector<HTMLElement>(places)?.focus()
      },
      { defer: true },
    ),
  )
}

function focused(): Element | null {
  return document.activeElement === document.body ? null : document.activeElement
}
