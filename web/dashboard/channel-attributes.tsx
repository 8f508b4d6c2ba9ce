// The attributes of a channel: strings that a workspace can show and filter by.
import { For, type JSX, Show } from 'solid-js'
import { InvalidRequestError } from '../../client/errors.ts'
import type { Attributes } from '../../shared/attributes.ts'
import { ATTRIBUTE_VALUE_MAX, ATTRIBUTES_MAX } from '../../shared/limits.ts'
import { putAttributes } from '../data/checked-requests.ts'
import { api } from '../data/owner-client.ts'
import { followValue, shownBy } from '../lib/follow.ts'
import { Reason } from '../ui/choice.tsx'
import { IconTrash } from '../ui/dashboard-icons.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { createOptimistic } from './deed.ts'
import { createFinder } from './finder.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'
import { createUndo, readWhenUndone } from './undo.ts'

export function ChannelAttributes(props: { channelId: string }): JSX.Element {
  const read = () => api.channel(props.channelId).attributes()
  const { load, again, set } = createFreshLoad(read)
  readWhenUndone(read, set)
  return (
    <Section
      title="Attributes"
      about="Keys are lowercased. The workspace decides which of them it shows, and filters by. A value is saved when you leave its field."
    >
      <Loaded load={load()} again={again}>
        {attributes => (
          <AttributeEditor channelId={props.channelId} attributes={attributes()} onChange={set} />
        )}
      </Loaded>
    </Section>
  )
}

type EditorProps = {
  channelId: string
  attributes: Attributes
  onChange: (attributes: Attributes) => void
}

function AttributeEditor(props: EditorProps): JSX.Element {
  const { change, add, reason } = createOptimistic(() => props.attributes, props.onChange)
  const offerUndo = createUndo()
  let list: HTMLUListElement | undefined
  const keys = () => Object.keys(props.attributes).filter(key => key !== 'created_at' && key !== 'updated_at')
  const { found, Finder, clear } = createFinder(keys, 'Find an attribute')

  function write(key: string, value: string): Promise<string | null> {
    const id = props.channelId
    return change(
      attributes => withValue(attributes, key, value),
      () => putAttributes(id, { [key]: value }),
    )
  }

  async function create(key: string, value: string): Promise<void> {
    const id = props.channelId
    await add(() => putAttributes(id, { [key]: value }))
    clear()
  }

  async function remove(key: string): Promise<void> {
    const before = props.attributes[key] ?? ''
    const written = write(key, '')
    // Its row has gone. Where the focus was in it, and is not on its way to somewhere else, it would be lost.
    setTimeout(() => document.activeElement === document.body && list?.focus())
    const refused = await written
    if (refused === null) offerUndo(`Removed the attribute “${key}”`, () => write(key, before))
  }

  return (
    <>
      <Finder />
      <ul class="rows rows-many" tabIndex={-1} ref={list} aria-label="Attributes">
        <For
          each={found()}
          fallback={<li class="row quiet">{keys().length === 0 ? 'None yet.' : 'None found.'}</li>}
        >
          {key => (
            <AttributeRow
              name={key}
              value={props.attributes[key] ?? ''}
              onWrite={value => write(key, value)}
              onRemove={() => remove(key)}
            />
          )}
        </For>
      </ul>
      <Reason reason={reason()} />
      <Show
        when={keys().length < ATTRIBUTES_MAX}
        fallback={<p class="hint">A channel has at most {ATTRIBUTES_MAX} attributes.</p>}
      >
        <NewAttribute isThere={key => keys().includes(key)} onAdd={create} />
      </Show>
    </>
  )
}

/** The empty string clears, as it does at the server. */
function withValue(attributes: Attributes, key: string, value: string): Attributes {
  if (value !== '') return { ...attributes, [key]: value }
  const { [key]: _, created_at, updated_at, ...others } = attributes
  return { ...others, created_at, updated_at }
}

type RowProps = {
  name: string
  value: string
  onWrite: (value: string) => void
  onRemove: () => void
}

function AttributeRow(props: RowProps): JSX.Element {
  function onKeyDown(event: KeyboardEvent & { currentTarget: HTMLInputElement }): void {
    if (event.key === 'Escape') event.currentTarget.value = props.value
    if (event.key === 'Enter') onLeave(event.currentTarget)
  }

  function onLeave(input: HTMLInputElement): void {
    // What has line ends, which no field of one line shows, is not changed by going through it.
    if (input.value === shownBy(input, props.value)) return
    if (input.value === '') props.onRemove()
    else props.onWrite(input.value)
  }

  return (
    <li class="row field">
      <span class="row-key" dir="auto" title={props.name}>
        {props.name}
      </span>
      <input
        class="row-value"
        aria-label={`Value of ${props.name}`}
        autocomplete="off"
        maxlength={ATTRIBUTE_VALUE_MAX}
        ref={element => followValue(element, () => props.value)}
        onKeyDown={onKeyDown}
        onFocusOut={event => onLeave(event.currentTarget)}
      />
      <button
        type="button"
        class="icon-button"
        aria-label={`Remove ${props.name}`}
        title="Remove"
        onClick={() => props.onRemove()}
      >
        <IconTrash />
      </button>
    </li>
  )
}

type NewAttributeProps = {
  isThere: (key: string) => boolean
  onAdd: (key: string, value: string) => Promise<void>
}

function NewAttribute(props: NewAttributeProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async ({ key = '', value = '' }) => {
    // To the API an empty value clears, which is not what adding means.
    if (key !== '' && value === '') throw new InvalidRequestError(400, 'value is required')
    // To the API it would be written over, without a word.
    if (props.isThere(key.toLowerCase()))
      throw new InvalidRequestError(400, 'key is there already: change its value in the list')
    await props.onAdd(key, value)
    // For the next one.
    form.focusIfStill(box?.querySelector('input'))
  }, 'key')
  return (
    <div ref={box}>
      <SettingsForm form={form} what="Attributes" submit="Add attribute" busy="Adding…" look="secondary">
        <div class="columns">
          <FormField form={form} name="key" label="Key" type="text" autocomplete="off" />
          <FormField form={form} name="value" label="Value" type="text" autocomplete="off" />
        </div>
      </SettingsForm>
    </div>
  )
}
