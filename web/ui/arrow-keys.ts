// Arrow keys in a list of links or tabs, of which Tab reaches only one. Home and End lead to the ends of the list.

/** Keys with a modifier belong to the browser; Alt and an arrow go back, for example. */
export function isAlone(event: KeyboardEvent): boolean {
  return !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey)
}

/** The key with this effect on a page that runs from left to right. */
export function keyAsLtr({ key, target }: KeyboardEvent): string {
  const isRtl = target instanceof Element && getComputedStyle(target).direction === 'rtl'
  if (isRtl && key === 'ArrowLeft') return 'ArrowRight'
  return isRtl && key === 'ArrowRight' ? 'ArrowLeft' : key
}

/** The index that a key leads to, from `at` (-1 before the first); undefined if it leads nowhere. */
export function stepTo(
  key: string,
  at: number,
  count: number,
  [next, previous]: [next: string, previous: string],
): number | undefined {
  const index = new Map([
    ['Home', 0],
    ['End', count - 1],
    [next, at + 1],
    [previous, at - 1],
  ]).get(key)
  return index !== undefined && index >= 0 && index < count ? index : undefined
}
