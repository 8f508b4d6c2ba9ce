// The settings of a channel's header actions: add, edit, move and delete them in a list.
import type { JSX } from 'solid-js'
import { ACTIONS_MAX } from '../../shared/limits.ts'
import { createForm, type FormState } from '../ui/form.tsx'
import { createSortable } from '../ui/sortable.ts'
import { AddButton } from './add-button.tsx'
import { type ActionRow, createHeaderActionList } from './header-action-list.ts'
import { HeaderActionRow, nameOfRow } from './header-action-row.tsx'
import { RowList } from './row-list.tsx'
import { Section } from './section.tsx'
import { joinSave, useSettingsDrafts } from './settings-drafts.tsx'
import type { ChannelProps } from './settings-page.tsx'

const TITLE = 'Header actions'

export function HeaderActions(props: ChannelProps): JSX.Element {
  const drafts = useSettingsDrafts()
  const actions = createHeaderActionList(props)
  const { rows } = actions
  const forms = new Map<string, FormState>()
  const order = createForm(actions.saveOrder, null)
  let list: HTMLUListElement | undefined
  const sortable = createSortable({
    ids: () => rows().map(({ id }) => id),
    nameOf: id => rows().flatMap(row => (row.id === id ? nameOfRow(row) : []))[0] ?? '',
    list: () => list,
    onOrder: actions.reorder,
  })

  /** Deletions come first, because a channel holds only so many actions. */
  const inSafeOrder = () => {
    const shown = rows()
    const sorted = [...shown.filter(actions.isDeleted), ...shown.filter(row => !actions.isDeleted(row))]
    return [...sorted.flatMap(({ id }) => forms.get(id) ?? []), order]
  }

  joinSave({
    check: () => inSafeOrder().every(form => form.check()),
    async save() {
      for (const form of inSafeOrder()) if (!(await drafts.saveForm(form))) return false
      return true
    },
    error: () => inSafeOrder().flatMap(form => form.errorOf(null) ?? [])[0],
    changes: () => [
      ...rows()
        .filter(actions.isDeleted)
        .map(row => ({ section: TITLE, label: `“${nameOfRow(row)}” deleted` })),
      ...(actions.isMoved() ? [{ section: TITLE, label: 'Order of header actions' }] : []),
    ],
    discard() {
      for (const form of inSafeOrder()) form.clear()
      actions.discard()
    },
  })

  function join(id: string, form: FormState): () => void {
    forms.set(id, form)
    return () => forms.delete(id)
  }

  function add(): void {
    actions.add()
    list?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  }

  function toggle(row: ActionRow): void {
    if (row.action === null) list?.focus()
    actions.toggle(row)
    drafts.look()
  }

  return (
    <Section title={TITLE} about="Buttons in the channel’s header. Drag to reorder them.">
      <RowList
        label="Header actions"
        each={rows()}
        empty="No header actions yet."
        sorting={rows().some(({ id }) => sortable.isDragged(id))}
        ref={list}
      >
        {(row, index) => (
          <HeaderActionRow
            row={row()}
            index={index()}
            count={rows().length}
            list={actions}
            sortable={sortable}
            join={join}
            onToggle={() => toggle(row())}
          />
        )}
      </RowList>
      <p class="sr-only" aria-live="assertive">
        {sortable.announced()}
      </p>
      <AddButton
        add="New header action"
        full={rows().length >= ACTIONS_MAX && `A channel can have ${ACTIONS_MAX} header actions at most.`}
        onClick={add}
      />
    </Section>
  )
}
