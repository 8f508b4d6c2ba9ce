// A header action in the list of the settings.
import { type JSX, onCleanup, Show } from 'solid-js'
import { IconButton } from '../ui/button.tsx'
import { createForm, type FormState } from '../ui/form.tsx'
import { IconDown, IconGrip, IconTrash, IconUndo, IconUp } from '../ui/page-icons.tsx'
import type { Sortable } from '../ui/sortable.ts'
import { HeaderActionFields, NEW_ACTION, readActionFields } from './header-action-fields.tsx'
import type { ActionRow, HeaderActionList } from './header-action-list.ts'
import './header-action-row.css'

type Props = {
  row: ActionRow
  index: number
  count: number
  list: HeaderActionList
  sortable: Sortable
  /** Takes part in saves until the returned function is called. */
  join: (row: ActionRow['id'], form: FormState) => () => void
  onToggle: () => void
}

/** `label`: the saved one. */
export const nameOfRow = ({ action }: ActionRow) => action?.label ?? 'the new header action'

export function HeaderActionRow(props: Props): JSX.Element {
  const form = createForm(
    values => props.list.saveRow(props.row, readActionFields(values)),
    'label',
    values => {
      props.list.changesOf(props.row, readActionFields(values))
    },
  )
  onCleanup(props.join(props.row.id, form))
  const name = () => nameOfRow(props.row)
  const deleted = () => props.list.isDeleted(props.row)
  const move = (by: number) => props.sortable.move(props.row.id, props.index + by)

  return (
    <li
      class="row sort-row"
      classList={{ 'sort-dragged': props.sortable.isDragged(props.row.id) }}
      style={props.sortable.rowStyle(props.row.id)}
    >
      <IconButton
        class="icon-button sort-handle"
        aria-label={`Move ${name()}`}
        aria-description={`${props.index + 1} of ${props.count}. Use the arrow keys to move it.`}
        title="Drag, or move with the arrow keys"
        {...props.sortable.handle(props.row.id)}
      >
        <IconGrip />
      </IconButton>
      <Show when={deleted()}>
        <p class="action-deleted fill">
          <s dir="auto">{name()}</s> <span class="hint">Deleted when you save.</span>
        </p>
      </Show>
      {/* Deleted or not, the fields keep what was typed. */}
      <div class="fill" hidden={deleted()}>
        <HeaderActionFields form={form} name={name()} saved={props.row.action ?? NEW_ACTION} />
      </div>
      <span class="row-tools">
        <IconButton
          class="icon-button sort-step"
          aria-label={`Move ${name()} up`}
          title="Move up"
          disabled={props.index === 0}
          onClick={() => move(-1)}
        >
          <IconUp />
        </IconButton>
        <IconButton
          class="icon-button sort-step sort-step-down"
          aria-label={`Move ${name()} down`}
          title="Move down"
          disabled={props.index === props.count - 1}
          onClick={() => move(1)}
        >
          <IconDown />
        </IconButton>
        <IconButton
          aria-label={`${deleted() ? 'Restore' : 'Delete'} ${name()}`}
          title={deleted() ? 'Restore' : 'Delete'}
          onClick={props.onToggle}
        >
          <Show when={deleted()} fallback={<IconTrash />}>
            <IconUndo />
          </Show>
        </IconButton>
      </span>
    </li>
  )
}
