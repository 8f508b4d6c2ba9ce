// If the focused element disappears, the focus moves to the channel's link or tab, or stays in the search field.
import { type Accessor, createComputed, createEffect, on } from 'solid-js'

const SEARCH = '.search input'
const CHANNEL = '[role="tab"][aria-selected="true"], .side-line[tabindex="0"], .channels a, .tile-name'

export function createFocusRestore(source: Accessor<unknown>): void {
  let before: Element | null = null

  function restore(): void {
    if (before === null || focused() !== null) return
    const targets = before.matches(SEARCH) ? `${SEARCH}, ${CHANNEL}` : CHANNEL
    document.querySelector<HTMLElement>(targets)?.focus()
  }

  // A computation runs before the list changes, an effect afterwards.
  createComputed(on(source, () => (before = focused()), { defer: true }))
  createEffect(on(source, restore, { defer: true }))
}

function focused(): Element | null {
  return document.activeElement === document.body ? null : document.activeElement
}
