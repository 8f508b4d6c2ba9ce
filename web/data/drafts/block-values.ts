// Values by card and block. Several tabs may show the same channel, so each tab saves only its own changes. Pure.

/** By card id, then by the safe key of a block. */
export type BlockValues<T> = Record<string, Record<string, T>>

/** The new value of a block; without a value the entry is removed. */
export type ValueChange<T> = [cardId: string, key: string, value?: T]

/** In order: the last change of a block wins. */
export function applyChanges<T>(saved: BlockValues<T>, changes: readonly ValueChange<T>[]): BlockValues<T> {
  const next = { ...saved }
  for (const [cardId, key, value] of changes) {
    const card = { ...next[cardId] }
    if (value === undefined) delete card[key]
    else card[key] = value
    if (Object.keys(card).length === 0) delete next[cardId]
    else next[cardId] = card
  }
  return next
}

export function mergeValues<T>(saved: BlockValues<T>, current: BlockValues<T>): BlockValues<T> {
  const all = { ...saved }
  for (const [cardId, card] of Object.entries(current)) all[cardId] = { ...all[cardId], ...card }
  return all
}
