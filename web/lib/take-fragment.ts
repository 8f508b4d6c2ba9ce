/** Returns the fragment of the address and removes it there: a token must not stay in the history, nor be seen. */
export function takeFragment(): string {
  const fragment = location.hash.slice(1)
  if (fragment !== '') history.replaceState(history.state, '', location.pathname + location.search)
  return fragment
}
