// The attributes of a channel: strings that a workspace can show and filter by.
import { For, type JSX } from 'solid-js'
import type { Attributes } from '../../shared/attributes.ts'
import { Refused } from '../api.ts'
import { createForm, Form, FormField } from '../shell/form.tsx'
import { createLoad, Loaded } from '../shell/load.tsx'
import { fetchAttributes, putAttributes } from './api.ts'
import { nextOne, Reason } from './choice.tsx'
import { createOptimistic } from './deed.ts'
import { Section } from './page.tsx'

export function ChannelAttributes(props: { channelId: string }): JSX.Element {
  const { load, again, set } = createLoad(() => fetchAttributes(props.channelId))
  return (
    <Section
      title="Attributes"
      about="Keys are lowercased. The workspace decides which of them it shows, and filters by."
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
  const { change, reason } = createOptimistic(() => props.attributes, props.onChange)
  let list: HTMLUListElement | undefined
  const keys = () =>
    Object.keys(props.attributes)
      .filter(key => key !== 'created_at' && key !== 'updated_at')
      .sort()

  function write(key: string, value: string): void {
    const { [key]: before, ...others } = props.attributes
    if (value === before) return
    const next = value === '' ? others : { ...others, [key]: value }
    change(asAttributes(next, props.attributes), () => putAttributes(props.channelId, { [key]: value }))
    // The row that had the focus is gone.
    if (value === '') list?.focus()
  }

  return (
    <>
      <ul class="rows" tabIndex={-1} ref={list} aria-label="Attributes">
        <For each={keys()} fallback={<li class="row quiet">None yet.</li>}>
          {key => (
            <li class="row field">
              <span class="row-key">{key}</span>
              <input
                class="row-value"
                aria-label={`Value of ${key}`}
                value={props.attributes[key] ?? ''}
                onChange={event => write(key, event.currentTarget.value)}
              />
              <button
                type="button"
                class="button button-secondary button-small"
                aria-label={`Remove ${key}`}
                onClick={() => write(key, '')}
              >
                Remove
              </button>
            </li>
          )}
        </For>
      </ul>
      <Reason reason={reason()} />
      <NewAttribute channelId={props.channelId} onCreated={props.onChange} />
    </>
  )
}

const asAttributes = (
  values: Record<string, string>,
  { created_at, updated_at }: Attributes,
): Attributes => ({
  ...values,
  created_at,
  updated_at,
})

type NewAttributeProps = { channelId: string; onCreated: (attributes: Attributes) => void }

function NewAttribute(props: NewAttributeProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async ({ key = '', value = '' }) => {
    // To the API an empty value clears, which is not what adding means.
    if (key !== '' && value === '') throw new Refused(400, 'value is required')
    props.onCreated(await putAttributes(props.channelId, { [key]: value }))
    nextOne(box)
  }, 'key')
  return (
    <div ref={box}>
      <Form form={form} submit="Add attribute" busy="Adding…" look="secondary">
        <div class="columns">
          <FormField form={form} name="key" label="Key" type="text" autocomplete="off" />
          <FormField form={form} name="value" label="Value" type="text" autocomplete="off" />
        </div>
      </Form>
    </div>
  )
}
