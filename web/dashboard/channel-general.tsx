// A channel's own words and its mode.
import type { JSX } from 'solid-js'
import { type ChannelWithActions, type Mode, mode } from '../../shared/channel.ts'
import { patchChannel } from '../data/checked-requests.ts'
import { changedOf } from '../lib/form-values.ts'
import { SelectField, TextAreaField } from '../ui/choice.tsx'
import { EmojiField } from '../ui/emoji-field.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'

const MODE_WORDS: Record<Mode, string> = {
  view: 'View: people only look',
  interactive: 'Interactive: people act and reply',
}
export const MODES = mode.options.map(value => ({ value, label: MODE_WORDS[value] }))

export type ChannelPartProps = {
  channel: ChannelWithActions
  onChange: (channel: ChannelWithActions) => void
}

export function ChannelGeneral(props: ChannelPartProps): JSX.Element {
  const form = createForm(async values => {
    const { name = '', icon = '', description = '' } = values
    const fields = {
      name,
      icon,
      description: description === '' ? null : description,
      mode: mode.parse(values.mode),
    }
    const changed = changedOf(fields, props.channel)
    if (changed) props.onChange(await patchChannel(props.channel.id, changed))
  }, 'name')
  return (
    <Section title="General" about="Shown to everybody who may see the channel, at once.">
      <SettingsForm form={form} what="General" submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="name"
          label="Name"
          type="text"
          autocomplete="off"
          value={props.channel.name}
        />
        <EmojiField form={form} name="icon" label="Icon" value={props.channel.icon} />
        <TextAreaField
          form={form}
          name="description"
          label="Description"
          value={props.channel.description ?? ''}
          hint="Optional. Links in it can be followed."
        />
        <SelectField form={form} name="mode" label="Mode" value={props.channel.mode} options={MODES} />
      </SettingsForm>
    </Section>
  )
}
