// A header action in the list of the settings, with its edit form.
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { type HeaderAction, patchHeaderActionBody } from '../../shared/header-action.ts'
import { check } from '../data/checked-requests.ts'
import { onKey } from '../lib/on-key.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { createForm } from '../ui/form.tsx'
import { IconDown, IconGrip, IconPencil, IconTrash, IconUp } from '../ui/page-icons.tsx'
import type { Sortable } from '../ui/sortable.ts'
import { type ActionFields, HeaderActionFields, readActionFields } from './header-action-fields.tsx'
import { SettingsForm } from './settings-form.tsx'
import './header-action-row.css'

type Props = {
  action: HeaderAction
  index: number
  count: number
  sortable: Sortable
  onSave: (fields: ActionFields) => void
  onDelete: () => void
}

export function HeaderActionRow(props: Props): JSX.Element {
  const [editing, setEditing] = createSignal(false)
  let editButton: HTMLButtonElement | undefined
  function close(): void {
    setEditing(false)
    editButton?.focus()
  }
  return (
    <li
      class="row sort-row"
      classList={{ 'sort-dragged': props.sortable.isDragged(props.action.id) }}
      style={props.sortable.rowStyle(props.action.id)}
    >
      <IconButton
        class="icon-button sort-handle"
        aria-label={`Move ${props.action.label}`}
        aria-description={`${props.index + 1} of ${props.count}. Use the arrow keys to move it.`}
        title="Drag, or move with the arrow keys"
        {...props.sortable.handle(props.action.id)}
      >
        <IconGrip />
      </IconButton>
      <span class="sort-name fill">
        <span class={`swatch cut button-${props.action.style}`} dir="auto">
          {props.action.label}
        </span>
      </span>
      <span class="row-tools">
        <IconButton
          aria-label={`Edit ${props.action.label}`}
          aria-expanded={editing()}
          title="Edit"
          ref={editButton}
          onClick={() => setEditing(!editing())}
        >
          <IconPencil />
        </IconButton>
        <IconButton aria-label={`Delete ${props.action.label}`} title="Delete" onClick={props.onDelete}>
          <IconTrash />
        </IconButton>
      </span>
      <Show when={editing()}>
        <EditForm {...props} close={close} />
      </Show>
    </li>
  )
}

function EditForm(props: Props & { close: () => void }): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async values => {
    const fields = readActionFields(values)
    check(patchHeaderActionBody, fields)
    props.close()
    props.onSave(fields)
  }, 'label')
  onMount(() => box?.querySelector('input')?.select())
  const move = (by: number) => props.sortable.move(props.action.id, props.index + by)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the form from any of its fields
    <div class="row-edit" ref={box} onKeyDown={onKey(event => event.key === 'Escape' && props.close())}>
      <SettingsForm
        form={form}
        section="Header actions"
        aside={
          <>
            <Button onClick={props.close}>Cancel</Button>
            <span class="row-tools">
              <IconButton title="Move up" disabled={props.index === 0} onClick={() => move(-1)}>
                <IconUp />
              </IconButton>
              <IconButton
                title="Move down"
                disabled={props.index === props.count - 1}
                onClick={() => move(1)}
              >
                <IconDown />
              </IconButton>
            </span>
          </>
        }
      >
        <HeaderActionFields form={form} saved={props.action} />
      </SettingsForm>
    </div>
  )
}
