// Whether a media query holds, as it changes.
import { type Accessor, createSignal, onCleanup } from 'solid-js'

/** Below this there is room for one thing at a time. The stylesheets say the same. */
export const NARROW = '(max-width: 48rem)'

export function createMedia(query: string): Accessor<boolean> {
  const list = matchMedia(query)
  const [matches, setMatches] = createSignal(list.matches)
  const onChange = () => setMatches(list.matches)
  list.addEventListener('change', onChange)
  onCleanup(() => list.removeEventListener('change', onChange))
  return matches
}
