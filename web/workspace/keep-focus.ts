// Keeps the focus on the open channel's link or tab where another layout takes the place of the one that had it.
import { type Accessor, createComputed, createEffect, on } from 'solid-js'

const PLACES = '[role="tab"][aria-selected="true"], .side-line[aria-current], .channels a, .tile-name'

export function createKeptFocus(layout: Accessor<unknown>): void {
  let had = false
  createComputed(on(layout, () => (had = !isLost()), { defer: true }))
  createEffect(
    on(
      layout,
      () => {
        if (had && isLost()) document.querySelector<HTMLElement>(PLACES)?.focus()
      },
      { defer: true },
    ),
  )
}

function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body
}
