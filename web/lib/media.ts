// Whether a media query matches, as a signal.
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
