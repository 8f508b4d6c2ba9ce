// Plans changes of the card list that don't move the cards on the screen. The virtual list keeps its scroll position only
// if items change on one side of it at a time, so a change on both sides takes two steps.

/** With `shift`, the list changes above the screen, so the distance to its end stays the same. */
export type ListChange = { ids: string[]; shift: boolean }

/** `reading`: the index of the first card on the screen, or null at the top, where new cards push the rest down. */
export function planChange(
  before: string[],
  next: string[],
  reading: number | null,
): [ListChange, ListChange?] {
  const last: ListChange = { ids: next, shift: false }
  const anchor = reading === null ? null : findAnchor(before, next, reading)
  if (!anchor || anchor.before === anchor.after) return [last]
  const shifted = [...next.slice(0, anchor.after), ...before.slice(anchor.before)]
  return [{ ids: shifted, shift: true }, last]
}

export function countAbove(before: string[], next: string[]): number {
  const known = new Set(before)
  const first = next.findIndex(id => known.has(id))
  return first < 0 ? next.length : first
}

function findAnchor(before: string[], next: string[], reading: number) {
  const indexes = new Map(next.map((id, i) => [id, i]))
  for (const [i, id] of before.slice(reading).entries()) {
    const after = indexes.get(id)
    if (after !== undefined) return { before: reading + i, after }
  }
  return null
}
