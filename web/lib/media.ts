// Whether a media query matches, and whether the page is printed, as signals.
import { type Accessor, createSignal } from 'solid-js'
import { listen } from './listen.ts'

/** Narrower screens show one column. The stylesheets repeat this width. */
export const NARROW = '(max-width: 48rem)'

export function createMedia(query: string): Accessor<boolean> {
  const list = matchMedia(query)
  const [matches, setMatches] = createSignal(list.matches)
  listen(list, 'change', () => setMatches(list.matches))
  return matches
}

/** Changes before the browser takes the page that it prints. */
export function createPrinting(): Accessor<boolean> {
  const [printing, setPrinting] = createSignal(false)
  listen(window, 'beforeprint', () => setPrinting(true))
  listen(window, 'afterprint', () => setPrinting(false))
  return printing
}
