// One header action in the list: as it looks, and as a small form once it is edited.
import { createSignal, type JSX, onMount, Show } from 'solid-js'
import { type HeaderAction, patchHeaderActionBody } from '../../shared/header-action.ts'
import { check } from '../data/checked-requests.ts'
import { SelectField } from '../ui/choice.tsx'
import { IconDown, IconGrip, IconPencil, IconTrash, IconUp } from '../ui/dashboard-icons.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import type { Sortable } from '../ui/sortable.tsx'
import { type ActionFields, readStyle, STYLES } from './action-style.ts'
import { SettingsForm } from './settings-form.tsx'

export type ActionRowProps = {
  action: HeaderAction
  index: number
  count: number
  sortable: Sortable
  onSave: (fields: ActionFields) => void
  onDelete: () => void
}

export function ActionRow(props: ActionRowProps): JSX.Element {
  const [editing, setEditing] = createSignal(false)
  let edit: HTMLButtonElement | undefined
  function close(): void {
    setEditing(false)
    edit?.focus()
  }
  return (
    <li
      class="row sort-row"
      classList={{ 'sort-dragged': props.sortable.isDragged(props.action.id) }}
      style={props.sortable.rowStyle(props.action.id)}
    >
      <button
        type="button"
        class="icon-button sort-handle"
        aria-label={`Move ${props.action.label}`}
        aria-description={`${props.index + 1} of ${props.count}. The arrow keys move it.`}
        title="Drag, or move with the arrow keys"
        {...props.sortable.handle(props.action.id)}
      >
        <IconGrip />
      </button>
      <span class="sort-name">
        <span class={`swatch swatch-${props.action.style}`}>{props.action.label}</span>
      </span>
      <span class="row-tools">
        <button
          type="button"
          class="icon-button"
          aria-label={`Edit ${props.action.label}`}
          aria-expanded={editing()}
          title="Edit"
          ref={edit}
          onClick={() => setEditing(!editing())}
        >
          <IconPencil />
        </button>
        <button
          type="button"
          class="icon-button"
          aria-label={`Delete ${props.action.label}`}
          title="Delete"
          onClick={() => props.onDelete()}
        >
          <IconTrash />
        </button>
      </span>
      <Show when={editing()}>
        <EditForm {...props} close={close} />
      </Show>
    </li>
  )
}

function EditForm(props: ActionRowProps & { close: () => void }): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async ({ label = '', style }) => {
    const fields = { label, style: readStyle(style) }
    check(patchHeaderActionBody, fields)
    props.close()
    props.onSave(fields)
  }, 'label')
  onMount(() => box?.querySelector('input')?.select())
  const place = (by: number) => props.sortable.move(props.action.id, props.index + by)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape leaves the form from any of its fields
    <div class="row-edit" ref={box} onKeyDown={event => event.key === 'Escape' && props.close()}>
      <SettingsForm
        form={form}
        what="Header actions"
        submit="Save"
        busy="Saving…"
        aside={
          <>
            <button type="button" class="button button-secondary" onClick={() => props.close()}>
              Cancel
            </button>
            <span class="row-tools">
              <button
                type="button"
                class="icon-button"
                aria-label="Move up"
                title="Move up"
                disabled={props.index === 0}
                onClick={() => place(-1)}
              >
                <IconUp />
              </button>
              <button
                type="button"
                class="icon-button"
                aria-label="Move down"
                title="Move down"
                disabled={props.index === props.count - 1}
                onClick={() => place(1)}
              >
                <IconDown />
              </button>
            </span>
          </>
        }
      >
        <div class="columns">
          <FormField
            form={form}
            name="label"
            label="Label"
            type="text"
            autocomplete="off"
            value={props.action.label}
          />
          <SelectField form={form} name="style" label="Style" value={props.action.style} options={STYLES} />
        </div>
      </SettingsForm>
    </div>
  )
}
