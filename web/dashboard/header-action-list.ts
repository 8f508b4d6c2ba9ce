// The header actions of a channel as its settings show them: the saved ones with unsaved additions, deletions and moves.
// The fields of a row keep their own edits.
import { batch, createMemo, createSignal } from 'solid-js'
import { InvalidRequestError } from '../../client/errors.ts'
import { newUuid } from '../../shared/characters.ts'
import { type HeaderAction, patchHeaderActionBody } from '../../shared/header-action.ts'
import { check, createAction, patchAction } from '../data/checked-requests.ts'
import { api, deleteAction, orderActions } from '../data/owner-requests.ts'
import { changedFields } from '../lib/form-values.ts'
import { type ActionFields, NEW_ACTION } from './header-action-fields.tsx'
import type { ChannelProps } from './settings-page.tsx'

/** `action` is null until it is saved. */
export type ActionRow = { id: string; action: HeaderAction | null }
export type HeaderActionList = ReturnType<typeof createHeaderActionList>

export function createHeaderActionList(props: ChannelProps) {
  const channelId = props.channel.id
  const saved = () => props.channel.actions
  const setSaved = (actions: HeaderAction[]) => props.onChange({ ...props.channel, actions })
  const [added, setAdded] = createSignal<string[]>([])
  const [deleted, setDeleted] = createSignal<ReadonlySet<string>>(new Set())
  const [order, setOrder] = createSignal<string[]>([])
  /** The rows that were added, by the id that each action got. What is typed in them meanwhile stays. */
  const rowIds = new Map<string, string>()

  const rows = createMemo(() =>
    inOrder<ActionRow>(
      [
        ...saved().map(action => ({ id: rowIds.get(action.id) ?? action.id, action })),
        ...added().map(id => ({ id, action: null })),
      ],
      order(),
    ),
  )
  const isDeleted = (row: ActionRow) => deleted().has(row.id)
  const kept = () => rows().filter(row => !isDeleted(row))
  const savedIds = (of: ActionRow[]) => of.flatMap(({ action }) => action?.id ?? [])

  function toggle(row: ActionRow): void {
    if (row.action === null) setAdded(before => before.filter(id => id !== row.id))
    else
      setDeleted(before => {
        const others = [...before].filter(id => id !== row.id)
        return new Set(before.has(row.id) ? others : [...others, row.id])
      })
  }

  function isMoved(): boolean {
    const ids = savedIds(kept())
    const before = saved().filter(({ id }) => ids.includes(id))
    return before.some(({ id }, i) => id !== ids[i])
  }

  /** Throws what the server would reject. Null if there is nothing to send. */
  function changesOf(row: ActionRow, fields: ActionFields): Partial<ActionFields> | null {
    const changed = isDeleted(row) ? null : changedFields(fields, row.action ?? NEW_ACTION)
    if (changed) check(patchHeaderActionBody, row.action ? changed : fields)
    return changed
  }

  async function saveRow(row: ActionRow, fields: ActionFields): Promise<void> {
    const changed = changesOf(row, fields)
    const { action } = row
    if (action && isDeleted(row)) {
      await deleteAction(channelId, action.id)
      setSaved(saved().filter(({ id }) => id !== action.id))
    } else if (action && changed) {
      const patched = await patchAction(channelId, action.id, changed)
      setSaved(saved().map(other => (other.id === action.id ? patched : other)))
    } else if (changed) {
      const position = Math.max(-1, ...saved().map(action => action.position)) + 1
      const created = await createAction(channelId, { ...fields, position })
      rowIds.set(created.id, row.id)
      batch(() => {
        setAdded(before => before.filter(id => id !== row.id))
        setSaved([...saved(), created])
      })
    }
  }

  async function saveOrder(): Promise<void> {
    if (isMoved()) setSaved(await sendOrder(channelId, savedIds(kept())))
    setOrder([])
  }

  function discard(): void {
    setAdded([])
    setDeleted(new Set<string>())
    setOrder([])
  }

  return {
    rows,
    isDeleted,
    isMoved,
    toggle,
    add: () => setAdded(before => [...before, newUuid()]),
    reorder: setOrder,
    changesOf,
    saveRow,
    saveOrder,
    discard,
  }
}

/** Sends the order again with the actions that exist if some were created or deleted elsewhere. */
async function sendOrder(channelId: string, ids: string[]): Promise<HeaderAction[]> {
  try {
    return await orderActions(channelId, ids)
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    const { actions } = await api.channel(channelId).get()
    return orderActions(
      channelId,
      inOrder(actions, ids).map(({ id }) => id),
    )
  }
}

/** Sorts by a list of ids. Rows that the list lacks go to the end. */
function inOrder<Row extends { id: string }>(rows: Row[], ids: string[]): Row[] {
  const rank = (id: string) => (ids.includes(id) ? ids.indexOf(id) : ids.length)
  return rows.toSorted((a, b) => rank(a.id) - rank(b.id))
}
