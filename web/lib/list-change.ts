// Plans how a list changes under a reader without moving what is read. Pure. The virtual list can keep its place
// only if items come or go on one side at a time, so a change on both sides is made in two steps.

/** The list to show, and whether it changed above the reader (then the place is kept from the end). */
export type ListChange = { ids: string[]; shift: boolean }

/** `reading` is the index of the first card on the screen, or null at the top, where new cards push down. */
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

/** How many cards came above those that were there. */
export function countAbove(before: string[], next: string[]): number {
  const known = new Set(before)
  const first = next.findIndex(id => known.has(id))
  return first < 0 ? next.length : first
}

/** The first card from `reading` on that is still there, by its index before and after. */
function findAnchor(before: string[], next: string[], reading: number) {
  const places = new Map(next.map((id, i) => [id, i]))
  for (const [i, id] of before.slice(reading).entries()) {
    const after = places.get(id)
    if (after !== undefined) return { before: reading + i, after }
  }
  return null
}
