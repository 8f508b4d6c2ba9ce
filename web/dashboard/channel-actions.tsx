// The header actions of a channel: buttons of its own, beside its name.
import { For, type JSX } from 'solid-js'
import { BUTTON_STYLES } from '../../shared/block.ts'
import type { ChannelWithActions } from '../../shared/channel.ts'
import { type HeaderAction, headerAction } from '../../shared/header-action.ts'
import { createForm, Form, FormField } from '../shell/form.tsx'
import { createAction, deleteAction } from './api.ts'
import type { ChannelPartProps } from './channel-general.tsx'
import { nextOne, SelectField } from './choice.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { formatNumber } from './locale.ts'
import { Section } from './page.tsx'

const STYLES = BUTTON_STYLES.map(value => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))
const style = headerAction.shape.style

export function ChannelActions(props: ChannelPartProps): JSX.Element {
  let list: HTMLUListElement | undefined
  const change = (actions: HeaderAction[]) => props.onChange({ ...props.channel, actions })

  async function remove(id: string): Promise<void> {
    await deleteAction(props.channel.id, id)
    change(props.channel.actions.filter(action => action.id !== id))
    // The button that had the focus is gone.
    queueMicrotask(() => list?.focus())
  }

  return (
    <Section
      title="Header actions"
      about="Buttons of the channel itself. They are ordered by position, the lowest first."
    >
      <ul class="rows" tabIndex={-1} ref={list} aria-label="Header actions">
        <For each={props.channel.actions} fallback={<li class="row quiet">None yet.</li>}>
          {action => (
            <li class="row">
              <span class={`swatch swatch-${action.style}`}>{action.label}</span>
              <span class="row-note">position {formatNumber(action.position)}</span>
              <ConfirmDialog
                open="Delete"
                label={`Delete ${action.label}`}
                button="button button-secondary button-small"
                title={`Delete “${action.label}”?`}
                about="It disappears for everybody who has the channel open. What people did with it stays in the log."
                confirm="Delete action"
                busy="Deleting…"
                onConfirm={() => remove(action.id)}
              />
            </li>
          )}
        </For>
      </ul>
      <NewAction channel={props.channel} onCreated={change} />
    </Section>
  )
}

type NewActionProps = { channel: ChannelWithActions; onCreated: (actions: HeaderAction[]) => void }

function NewAction(props: NewActionProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const last = () => Math.max(0, ...props.channel.actions.map(action => action.position)) + 1
  const form = createForm(async values => {
    const { label = '' } = values
    const position = values.position ? Number(values.position) : last()
    const action = await createAction(props.channel.id, { label, style: style.parse(values.style), position })
    props.onCreated([...props.channel.actions, action].sort((a, b) => a.position - b.position))
    nextOne(box)
  }, 'label')
  return (
    <div ref={box}>
      <Form form={form} submit="Add action" busy="Adding…" look="secondary">
        <div class="columns">
          <FormField form={form} name="label" label="Label" type="text" autocomplete="off" />
          <SelectField form={form} name="style" label="Style" value="primary" options={STYLES} />
          <FormField
            form={form}
            name="position"
            label="Position"
            type="number"
            autocomplete="off"
            hint="Empty: the last"
            optional
          />
        </div>
      </Form>
    </div>
  )
}
