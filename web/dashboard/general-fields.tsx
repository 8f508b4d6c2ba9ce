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
import { CHANNEL_DESCRIPTION_MAX } from '../../shared/limits.ts'
import { RadioField, SelectField, TextAreaField } from '../ui/choice.tsx'
import { EmojiField } from '../ui/emoji-field.tsx'
import { FormField, type FormState } from '../ui/form.tsx'
import './general-fields.css'

const MODE_TEXT: Record<Mode, { label: string; about: string }> = {
  interactive: { label: 'Interactive', about: 'People can press, fill in and reply.' },
  view: { label: 'View only', about: 'People can read, but not act.' },
}
const MODES = (['interactive', 'view'] as const).map(value => ({ value, ...MODE_TEXT[value] }))

const RECEIPT_LABELS: Record<Receipts, string> = {
  auto: 'Automatic: on, except in public workspaces',
  on: 'On',
  off: 'Off',
}
const RECEIPTS = receipts.options.map(value => ({ value, label: RECEIPT_LABELS[value] }))

export function NameAndIcon(props: { form: FormState; name?: string; icon: string }): JSX.Element {
  return (
    <div class="name-and-icon">
      <FormField form={props.form} name="name" label="Name" value={props.name} />
      <EmojiField form={props.form} name="icon" label="Icon" value={props.icon} />
    </div>
  )
}

type ChannelFields = Pick<ChannelWithActions, 'name' | 'icon' | 'description' | 'mode'>
type SavedFields = ChannelFields & Pick<ChannelWithActions, 'receipts'>

/** A new channel begins with automatic receipts. */
export function ChannelFields(props: { form: FormState; saved?: SavedFields }): JSX.Element {
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
        max={CHANNEL_DESCRIPTION_MAX}
      />
      <RadioField
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
            hint="Shows who pressed a button to everyone in the channel."
          />
        )}
      </Show>
    </>
  )
}

export function readChannelFields(values: Record<string, string>): ChannelFields {
  const { name = '', icon = '', description = '' } = values
  return { name, icon, description: description || null, mode: mode.parse(values.mode) }
}
