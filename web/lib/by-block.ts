// What a viewer's browser keeps by card and block. Two tabs may show the same channel: each writes only what changed
// in it, so that neither drops what the other has. Pure.

/** By card id, then by the key of a block. */
export type ByBlock<T> = Record<string, Record<string, T>>

/** The new value of a block; without one it is kept no longer. */
export type BlockChange<T> = [cardId: string, key: string, value?: T]

/** The first change of a block gives way to the next. */
export type BlockChanges<T> = Map<string, BlockChange<T>>

export function addChange<T>(changes: BlockChanges<T>, change: BlockChange<T>): void {
  changes.set(`${change[0]} ${change[1]}`, change)
}

export function applyChanges<T>(kept: ByBlock<T>, changes: readonly BlockChange<T>[]): ByBlock<T> {
  const next = { ...kept }
  for (const [cardId, key, value] of changes) {
    const card = { ...next[cardId] }
    if (value === undefined) delete card[key]
    else card[key] = value
    if (Object.keys(card).length === 0) delete next[cardId]
    else next[cardId] = card
  }
  return next
}

/** Where both have a block, that of `now` counts. */
export function merge<T>(kept: ByBlock<T>, now: ByBlock<T>): ByBlock<T> {
  const all = { ...kept }
  for (const [cardId, card] of Object.entries(now)) all[cardId] = { ...all[cardId], ...card }
  return all
}
