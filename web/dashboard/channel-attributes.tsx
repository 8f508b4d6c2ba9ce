// The attributes of a channel. A value is saved when its field loses the focus.
import { type JSX, Show } from 'solid-js'
import type { Attributes } from '../../shared/attributes.ts'
import { Invalid, REQUIRED } from '../../shared/invalid.ts'
import { ATTRIBUTE_VALUE_MAX, ATTRIBUTES_MAX } from '../../shared/limits.ts'
import { putAttributes, rejection } from '../data/checked-requests.ts'
import { api } from '../data/owner-requests.ts'
import { bindDefault, textInControl } from '../lib/default-value.ts'
import { onKey } from '../lib/on-key.ts'
import { IconButton } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { IconTrash } from '../ui/page-icons.tsx'
import { attributeOf } from '../workspace/matching.ts'
import { AddForm } from './add-form.tsx'
import { createOptimistic } from './mutation.ts'
import { createNameFilter } from './name-filter.tsx'
import { RowList } from './row-list.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import { createUndoToast, reloadAfterUndo } from './undo.ts'
import './channel-attributes.css'

export function ChannelAttributes(props: { channelId: string }): JSX.Element {
  const read = () => api.channel(props.channelId).attributes()
  const { load, again, set } = createFreshLoad(read)
  reloadAfterUndo(read, set)
  return (
    <Section
      title="Attributes"
      about="The workspace can show them next to the name, or filter by them. Values save when you leave the field."
    >
      <Loaded load={load()} again={again}>
        {attributes => (
          <AttributeEditor channelId={props.channelId} attributes={attributes()} onChange={set} />
        )}
      </Loaded>
    </Section>
  )
}

function AttributeEditor(props: {
  channelId: string
  attributes: Attributes
  onChange: (attributes: Attributes) => void
}): JSX.Element {
  const { channelId } = props
  const { change, add, error } = createOptimistic(() => props.attributes, props.onChange)
  const showUndo = createUndoToast()
  let list: HTMLUListElement | undefined
  const keys = () => Object.keys(props.attributes).filter(key => key !== 'created_at' && key !== 'updated_at')
  const { matches, NameFilter, clear } = createNameFilter(keys, 'Find an attribute')

  function save(key: string, value: string): Promise<string | null> {
    return change(
      attributes => withValue(attributes, key, value),
      () => putAttributes(channelId, { [key]: value }),
    )
  }

  async function create(key: string, value: string): Promise<void> {
    await add(() => putAttributes(channelId, { [key]: value }))
    clear()
  }

  async function remove(key: string): Promise<void> {
    const before = attributeOf(props.attributes, key) ?? ''
    const saved = save(key, '')
    // The row is gone. The list takes the focus, unless the focus is moving to another element.
    setTimeout(() => document.activeElement === document.body && list?.focus())
    const failed = await saved
    if (failed === null) showUndo(`“${key}” deleted`, () => save(key, before))
  }

  return (
    <>
      <NameFilter />
      <RowList
        label="Attributes"
        each={matches().map(key => ({ id: key }))}
        empty={keys().length === 0 ? 'No attributes yet.' : 'No results.'}
        scrolls
        ref={list}
      >
        {attribute => (
          <AttributeRow
            name={attribute().id}
            value={attributeOf(props.attributes, attribute().id) ?? ''}
            onSave={value => save(attribute().id, value)}
            onDelete={() => remove(attribute().id)}
          />
        )}
      </RowList>
      <Reason reason={error()} />
      <Show
        when={keys().length < ATTRIBUTES_MAX}
        fallback={<p class="hint">A channel can have {ATTRIBUTES_MAX} attributes at most.</p>}
      >
        <AddForm add="New attribute">
          <CreateAttribute exists={key => keys().includes(key)} onCreate={create} />
        </AddForm>
      </Show>
    </>
  )
}

/** An empty value deletes the attribute, as in the API. */
function withValue(attributes: Attributes, key: string, value: string): Attributes {
  if (value !== '') return { ...attributes, [key]: value }
  const { [key]: _, created_at, updated_at, ...others } = attributes
  return { ...others, created_at, updated_at }
}

function AttributeRow(props: {
  name: string
  value: string
  onSave: (value: string) => void
  onDelete: () => void
}): JSX.Element {
  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
    if (event.key === 'Escape') event.currentTarget.value = props.value
    if (event.key === 'Enter') onLeave(event.currentTarget)
  }

  function onLeave(input: HTMLInputElement): void {
    // An input drops line breaks. That isn't an edit.
    if (input.value === textInControl(input, props.value)) return
    if (input.value === '') props.onDelete()
    else props.onSave(input.value)
  }

  return (
    <li class="row field">
      <span class="row-key item-name" dir="auto" title={props.name}>
        {props.name}
      </span>
      <input
        class="row-value"
        aria-label={`Value of ${props.name}`}
        autocomplete="off"
        maxlength={ATTRIBUTE_VALUE_MAX}
        ref={element => bindDefault(element, () => props.value)}
        onKeyDown={onKey(onKeyDown)}
        onFocusOut={event => onLeave(event.currentTarget)}
      />
      <IconButton aria-label={`Delete ${props.name}`} title="Delete" onClick={props.onDelete}>
        <IconTrash />
      </IconButton>
    </li>
  )
}

function CreateAttribute(props: {
  exists: (key: string) => boolean
  onCreate: (key: string, value: string) => Promise<void>
}): JSX.Element {
  const form = createForm(async ({ key = '', value = '' }) => {
    // The API would delete an attribute without a value, and overwrite one that exists.
    if (key !== '' && value === '') throw rejection(new Invalid(['value'], REQUIRED))
    if (props.exists(key.toLowerCase()))
      throw rejection(new Invalid(['key'], 'already exists. Change its value in the list.'))
    await props.onCreate(key, value)
  }, 'key')
  return (
    <SettingsForm form={form} section="Attributes" create="Create attribute">
      <div class="columns">
        <FormField form={form} name="key" label="Key" />
        <FormField form={form} name="value" label="Value" />
      </div>
    </SettingsForm>
  )
}
