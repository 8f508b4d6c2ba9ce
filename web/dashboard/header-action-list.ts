// The changes to a channel's header actions. Each is visible at once and rolled back when the server rejects it.
import { InvalidRequestError } from '../../client/errors.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { createAction, patchAction } from '../data/checked-requests.ts'
import { api, deleteAction, orderActions, putAction } from '../data/owner-requests.ts'
import type { ActionFields } from './header-action-fields.tsx'
import { createOptimistic } from './mutation.ts'
import type { ChannelProps } from './settings-page.tsx'
import { createUndoToast } from './undo.ts'

export function createHeaderActionList(props: ChannelProps) {
  const channelId = props.channel.id
  const actions = () => props.channel.actions
  const { change, add, error } = createOptimistic(actions, actions =>
    props.onChange({ ...props.channel, actions }),
  )
  const showUndo = createUndoToast()

  function create(fields: ActionFields): Promise<void> {
    return add(async confirmed => {
      const position = Math.max(-1, ...confirmed.map(action => action.position)) + 1
      return byPosition([...confirmed, await createAction(channelId, { ...fields, position })])
    })
  }

  function edit(action: HeaderAction, fields: ActionFields): void {
    change(
      actions => actions.map(other => (other.id === action.id ? { ...other, ...fields } : other)),
      async confirmed => {
        const saved = await patchAction(channelId, action.id, fields)
        return confirmed.map(other => (other.id === action.id ? saved : other))
      },
    )
  }

  function reorder(ids: string[]): Promise<string | null> {
    return change(
      actions => inOrder(actions, ids),
      () => sendOrder(channelId, ids),
    )
  }

  async function remove(action: HeaderAction): Promise<void> {
    const ids = actions().map(({ id }) => id)
    const without = (actions: HeaderAction[]) => actions.filter(other => other.id !== action.id)
    const failed = await change(without, async confirmed => {
      await deleteAction(channelId, action.id)
      return without(confirmed)
    })
    if (failed !== null) return
    // A restored action keeps its id and position, so that open pages and automations still find it.
    showUndo(`“${action.label}” deleted`, () =>
      change(
        actions => restore(actions, action, ids),
        async () => {
          await putAction(channelId, action)
          // The other actions may have changed since the deletion.
          const { actions } = await api.channel(channelId).get()
          const wanted = restore(without(actions), action, ids).map(({ id }) => id)
          const isRestored = wanted.every((id, index) => actions[index]?.id === id)
          return isRestored ? actions : sendOrder(channelId, wanted)
        },
      ),
    )
  }

  return { actions, create, edit, reorder, remove, error }
}

/** Sends the order again with the actions that exist if some were created or deleted elsewhere. */
async function sendOrder(channelId: string, ids: string[]): Promise<HeaderAction[]> {
  try {
    return await orderActions(channelId, ids)
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    const { actions } = await api.channel(channelId).get()
    const existing = inOrder(actions, ids).map(({ id }) => id)
    return orderActions(channelId, existing)
  }
}

const byPosition = (actions: HeaderAction[]) => actions.toSorted((a, b) => a.position - b.position)

/** Sorts by a list of ids. Actions that the list lacks, created meanwhile, go to the end. */
function inOrder(actions: HeaderAction[], ids: string[]): HeaderAction[] {
  const rank = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return actions
    .toSorted((a, b) => rank(a.id) - rank(b.id))
    .map((action, position) => ({ ...action, position }))
}

/** Inserts after the nearest action that preceded it in `ids` and still exists. The others keep their order. */
function restore(actions: HeaderAction[], action: HeaderAction, ids: string[]): HeaderAction[] {
  const before = ids.slice(0, ids.indexOf(action.id)).findLast(id => actions.some(action => action.id === id))
  const index = actions.findLastIndex(({ id }) => id === before)
  return actions.toSpliced(index + 1, 0, action)
}
