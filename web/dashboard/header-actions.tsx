// The settings of a channel's header actions: create, edit, reorder and delete them in place.
import { type JSX, Show } from 'solid-js'
import { ACTIONS_MAX } from '../../shared/limits.ts'
import { Reason } from '../ui/choice.tsx'
import { createForm } from '../ui/form.tsx'
import { createSortable } from '../ui/sortable.ts'
import { AddForm } from './add-form.tsx'
import { type ActionFields, HeaderActionFields, readActionFields } from './header-action-fields.tsx'
import { createHeaderActionList } from './header-action-list.ts'
import { HeaderActionRow } from './header-action-row.tsx'
import { RowList } from './row-list.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { ChannelProps } from './settings-page.tsx'

export function HeaderActions(props: ChannelProps): JSX.Element {
  let list: HTMLUListElement | undefined
  const { actions, create, edit, reorder, remove, error } = createHeaderActionList(props)
  const ids = () => actions().map(({ id }) => id)
  const sortable = createSortable({
    ids,
    nameOf: id => actions().find(action => action.id === id)?.label ?? '',
    list: () => list,
    onOrder: keepFocus,
  })

  /** A row that is rolled back to its old place would lose the focus. */
  async function keepFocus(order: string[]): Promise<void> {
    const focused = document.activeElement
    const error = await reorder(order)
    if (error === null || document.activeElement !== document.body) return
    if (focused instanceof HTMLElement) focused.focus()
  }

  return (
    <Section title="Header actions" about="Buttons in the channel’s header. Drag to reorder them.">
      <RowList
        label="Header actions"
        each={actions()}
        empty="No header actions yet."
        sorting={ids().some(sortable.isDragged)}
        ref={list}
      >
        {(action, index) => (
          <HeaderActionRow
            action={action()}
            index={index()}
            count={actions().length}
            sortable={sortable}
            onSave={fields => edit(action(), fields)}
            onDelete={() => {
              list?.focus()
              remove(action())
            }}
          />
        )}
      </RowList>
      <p class="sr-only" aria-live="assertive">
        {sortable.announced()}
      </p>
      <Reason reason={error()} />
      <Show
        when={actions().length < ACTIONS_MAX}
        fallback={<p class="hint">A channel can have {ACTIONS_MAX} header actions at most.</p>}
      >
        <AddForm add="New header action">
          <CreateHeaderAction onCreate={create} />
        </AddForm>
      </Show>
    </Section>
  )
}

function CreateHeaderAction(props: { onCreate: (fields: ActionFields) => Promise<void> }): JSX.Element {
  const form = createForm(values => props.onCreate(readActionFields(values)), 'label')
  return (
    <SettingsForm form={form} section="Header actions" create="Create action">
      <HeaderActionFields form={form} />
    </SettingsForm>
  )
}
