// Keys of the items of a list: a row keeps its key, and so its focus, when people edit or move its item. Pure.
export type KeyedItems = { items: readonly unknown[]; keys: readonly number[] }

/** An item keeps the key of the same item, or else the key at its index. */
export function keyItems(before: KeyedItems, items: readonly unknown[], newKey: () => number): KeyedItems {
  const free = new Map(before.keys.map((key, at) => [at, key]))
  const keys: (number | undefined)[] = items.map(() => undefined)
  const take = (at: number, from: number) => {
    keys[at] = free.get(from)
    free.delete(from)
  }
  // First those that stay where they are: while people type, two options may be equal.
  for (const [at, item] of items.entries()) if (before.items[at] === item) take(at, at)
  for (const [at, item] of items.entries()) {
    if (keys[at] !== undefined) continue
    const from = before.items.findIndex((old, i) => old === item && free.has(i))
    if (from >= 0) take(at, from)
  }
  for (const [at] of items.entries()) if (keys[at] === undefined) take(at, at)
  return { items, keys: keys.map(key => key ?? newKey()) }
}
