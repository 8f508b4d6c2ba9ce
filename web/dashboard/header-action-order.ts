// Orders of a channel's header actions. Pure.
import type { HeaderAction } from '../../shared/header-action.ts'

export const byPosition = (actions: HeaderAction[]) => actions.toSorted((a, b) => a.position - b.position)

/** Sorts by a list of ids. Actions that the list lacks, created meanwhile, go to the end. */
export function inOrder(actions: HeaderAction[], ids: string[]): HeaderAction[] {
  const rank = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return actions
    .toSorted((a, b) => rank(a.id) - rank(b.id))
    .map((action, position) => ({ ...action, position }))
}

/** Inserts after the nearest action that preceded it in `ids` and still exists. The others keep their order. */
export function restore(actions: HeaderAction[], action: HeaderAction, ids: string[]): HeaderAction[] {
  const before = ids.slice(0, ids.indexOf(action.id)).findLast(id => actions.some(action => action.id === id))
  const index = actions.findLastIndex(({ id }) => id === before)
  return actions.toSpliced(index + 1, 0, action)
}
