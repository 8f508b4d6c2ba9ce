// Arrow keys in a list of links or tabs. Tab reaches only one of the list; Home and End lead to its ends.

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }

/** Keys with a modifier belong to the browser: Alt and an arrow go back. */
export function isAlone(event: KeyboardEvent): boolean {
  return !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
}

/**
 * The index that a key leads to, or undefined if it leads nowhere.
 * `at`: the index now, -1 before the first. `keys`: the arrow keys that this list uses.
 */
export function stepTo(key: string, at: number, count: number, keys: string[]): number | undefined {
  if (count === 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = keys.includes(key) ? STEPS[key] : undefined
  if (step === undefined) return undefined
  const next = at + step
  return next < 0 || next >= count ? undefined : next
}
