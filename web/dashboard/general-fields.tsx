// The fields that describe a channel or a workspace, the same when it is created and when it is edited.
import { type JSX, Show } from 'solid-js'
import {
  type ChannelWithActions,
  DEFAULT_CHANNEL_ICON,
  type Mode,
  mode,
  type Receipts,
  receipts,
} from '../../shared/channel.ts'
import { SelectField, TextAreaField } from '../ui/choice.tsx'
import { EmojiField } from '../ui/emoji-field.tsx'
import { FormField, type FormState } from '../ui/form.tsx'

const MODE_LABELS: Record<Mode, string> = {
  view: 'View: people can only read',
  interactive: 'Interactive: people can act and reply',
}
const MODES = mode.options.map(value => ({ value, label: MODE_LABELS[value] }))

const RECEIPTS_LABELS: Record<Receipts, string> = {
  auto: 'Automatic: shown, except in a public workspace',
  on: 'On: people see who pressed which button',
  off: 'Off: only you see it, in the log',
}
const RECEIPTS = receipts.options.map(value => ({ value, label: RECEIPTS_LABELS[value] }))

export function NameAndIcon(props: { form: FormState; name?: string; icon: string }): JSX.Element {
  return (
    <>
      <FormField form={props.form} name="name" label="Name" value={props.name} />
      <EmojiField form={props.form} name="icon" label="Icon" value={props.icon} />
    </>
  )
}

type ChannelFields = Pick<ChannelWithActions, 'name' | 'icon' | 'description' | 'mode' | 'receipts'>

export function ChannelFields(props: { form: FormState; saved?: ChannelFields }): JSX.Element {
  return (
    <>
      <NameAndIcon
        form={props.form}
        name={props.saved?.name}
        icon={props.saved?.icon ?? DEFAULT_CHANNEL_ICON}
      />
      <TextAreaField
        form={props.form}
        name="description"
        label="Description"
        value={props.saved?.description ?? ''}
        hint="Optional. Links in it are clickable."
      />
      <SelectField
        form={props.form}
        name="mode"
        label="Mode"
        value={props.saved?.mode ?? 'interactive'}
        options={MODES}
      />
      <Show when={props.saved}>
        {saved => (
          <SelectField
            form={props.form}
            name="receipts"
            label="Receipts"
            value={saved().receipts}
            options={RECEIPTS}
          />
        )}
      </Show>
    </>
  )
}

export function readChannelFields(values: Record<string, string>): ChannelFields {
  const { name = '', icon = '', description = '' } = values
  return {
    name,
    icon,
    description: description || null,
    mode: mode.parse(values.mode),
    receipts: receipts.parse(values.receipts ?? 'auto'),
  }
}
