// The attributes of a channel: the rows of a list, which one request saves.
import { batch, createSignal, type JSX, Show } from 'solid-js'
import type { Attributes } from '../../shared/attributes.ts'
import { newUuid } from '../../shared/characters.ts'
import { ATTRIBUTES_MAX } from '../../shared/limits.ts'
import { putAttributes } from '../data/checked-requests.ts'
import { api } from '../data/owner-requests.ts'
import { IconButton } from '../ui/button.tsx'
import { createForm, FormField, type FormState } from '../ui/form.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { IconTrash, IconUndo } from '../ui/page-icons.tsx'
import { attributeOf } from '../workspace/matching.ts'
import { AddButton } from './add-button.tsx'
import { type AttributeRow, changedAttributes, keyField, keysOf, valueField } from './attribute-changes.ts'
import { byName, createNameFilter } from './name-filter.tsx'
import { RowList } from './row-list.tsx'
import { Section } from './section.tsx'
import { joinForm, useSettingsDrafts } from './settings-drafts.tsx'
import './channel-attributes.css'

export function ChannelAttributes(props: { channelId: string }): JSX.Element {
  const { load, again, set } = createFreshLoad(() => api.channel(props.channelId).attributes())
  return (
    <Section title="Attributes" about="The workspace can show them next to the name, or filter by them.">
      <Loaded load={load()} again={again}>
        {attributes => (
          <AttributeEditor channelId={props.channelId} attributes={attributes()} onChange={set} />
        )}
      </Loaded>
    </Section>
  )
}

type Props = { channelId: string; attributes: Attributes; onChange: (attributes: Attributes) => void }

function AttributeEditor(props: Props): JSX.Element {
  const drafts = useSettingsDrafts()
  const { rows, form, add, drop } = createAttributeRows(props)
  let list: HTMLUListElement | undefined
  const keys = () => keysOf(props.attributes)
  const { isMatch, NameFilter, clear } = createNameFilter(keys, 'Find an attribute')
  const matches = ({ key }: AttributeRow) => key === null || isMatch(key)
  joinForm(form)

  function addRow(): void {
    clear()
    add()
    list?.querySelector<HTMLInputElement>('li:last-child input')?.focus()
  }

  function dropRow(id: string): void {
    drop(id)
    drafts.look()
    list?.focus()
  }

  return (
    <>
      <NameFilter />
      <RowList label="Attributes" each={rows()} empty="No attributes yet." scrolls ref={list}>
        {row => (
          <Row
            row={row()}
            form={form}
            saved={attributeOf(props.attributes, row().key ?? '') ?? ''}
            hidden={!matches(row())}
            onDrop={() => dropRow(row().id)}
          />
        )}
      </RowList>
      <AddButton
        add="New attribute"
        full={rows().length >= ATTRIBUTES_MAX && `A channel can have ${ATTRIBUTES_MAX} attributes at most.`}
        onClick={addRow}
      />
    </>
  )
}

/** The saved attributes by name, then the new ones. */
function createAttributeRows(props: Props) {
  const [added, setAdded] = createSignal<string[]>([])
  /** The rows that were added, by the attribute that each became. What is typed in them meanwhile stays. */
  const rowIds = new Map<string, string>()
  const rows = (): AttributeRow[] => {
    const keys = byName(keysOf(props.attributes))
    return [
      ...keys.filter(key => !rowIds.has(key)).map(key => ({ id: key, key })),
      ...[...rowIds].filter(([key]) => keys.includes(key)).map(([key, id]) => ({ id, key })),
      ...added().map(id => ({ id, key: null })),
    ]
  }
  const changed = (values: Record<string, string>) => changedAttributes(rows(), values, props.attributes)

  const form = createForm(
    async values => {
      const changes = changed(values)
      if (changes.size === 0) return
      const saved = await putAttributes(props.channelId, Object.fromEntries(changes))
      const keyOf = (id: string) => values[keyField(id)]?.toLowerCase() ?? ''
      const became = added().filter(id => keyOf(id) !== '')
      for (const id of became) rowIds.set(keyOf(id), id)
      batch(() => {
        setAdded(before => before.filter(id => !became.includes(id)))
        props.onChange(saved)
      })
    },
    null,
    changed,
  )

  return {
    rows,
    form: {
      ...form,
      clear() {
        form.clear()
        setAdded([])
      },
    },
    add: () => setAdded(before => [...before, newUuid()]),
    drop: (id: string) => setAdded(before => before.filter(other => other !== id)),
  }
}

function Row(props: {
  row: AttributeRow
  form: FormState
  saved: string
  hidden: boolean
  onDrop: () => void
}): JSX.Element {
  // When the row goes, so does `props.row`, but its fields still say their names.
  const { id } = props.row
  const [emptied, setEmptied] = createSignal(false)
  let row: HTMLLIElement | undefined
  const deleted = () => props.row.key !== null && emptied()
  const name = () => props.row.key ?? 'the new attribute'

  function setValue(value: string): void {
    const input = row?.querySelector<HTMLInputElement>('.row-value input')
    if (!input) return
    input.value = value
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }

  function onTrash(): void {
    if (props.row.key === null) props.onDrop()
    else setValue(deleted() ? props.saved : '')
  }

  return (
    <li class="row attribute-row" ref={row} hidden={props.hidden}>
      <div class="row-key">
        <Show when={props.row.key} fallback={<FormField form={props.form} name={keyField(id)} label="Key" />}>
          {key => (
            <span class="item-name" dir="auto" title={key()}>
              {key()}
            </span>
          )}
        </Show>
      </div>
      <div
        class="row-value"
        onInput={event => event.target instanceof HTMLInputElement && setEmptied(event.target.value === '')}
      >
        <FormField
          form={props.form}
          name={valueField(id)}
          label={props.row.key === null ? 'Value' : `Value of ${props.row.key}`}
          value={props.saved}
          hint={deleted() ? 'Deleted when you save.' : ''}
          optional={props.row.key !== null}
        />
      </div>
      <IconButton
        aria-label={`${deleted() ? 'Restore' : 'Delete'} ${name()}`}
        title={deleted() ? 'Restore' : 'Delete'}
        onClick={onTrash}
      >
        <Show when={deleted()} fallback={<IconTrash />}>
          <IconUndo />
        </Show>
      </IconButton>
    </li>
  )
}
