// Whether a media query matches, as a signal.
import { type Accessor, createSignal, onCleanup } from 'solid-js'

/** Narrower screens show one column. The stylesheets repeat this width. */
export const NARROW = '(max-width: 48rem)'

export function createMedia(query: string): Accessor<boolean> {
  const list = matchMedia(query)
  const [matches, setMatches] = createSignal(list.matches)
  const onChange = () => setMatches(list.matches)
  list.addEventListener('change', onChange)
  onCleanup(() => list.removeEventListener('change', onChange))
  return matches
}
