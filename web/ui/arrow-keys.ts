// Arrow keys move in a list of links or tabs; only one of them is in the order of Tab. Home and End go to its ends.

const STEPS: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: 1, ArrowLeft: -1 }

/** Together with another one a key is the browser's: Alt and an arrow lead back. */
export function isAlone(event: KeyboardEvent): boolean {
  return !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
}

/** Where a key leads from `at` (-1: from before the first); undefined where it leads nowhere. `keys`: those that step. */
export function stepTo(key: string, at: number, count: number, keys: string[]): number | undefined {
  if (count === 0) return undefined
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = keys.includes(key) ? STEPS[key] : undefined
  if (step === undefined) return undefined
  const next = at + step
  return next < 0 || next >= count ? undefined : next
}
