// The general settings of a channel.
import type { JSX } from 'solid-js'
import { changedOf } from '../lib/form-values.ts'
import { createForm } from '../ui/form.tsx'
import { patchChannel } from './api.ts'
import { ChannelFields, readChannelFields } from './general-fields.tsx'
import type { ChannelProps } from './header-action-list.ts'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

export function ChannelGeneral(props: ChannelProps): JSX.Element {
  const form = createForm(async values => {
    const changed = changedOf(readChannelFields(values), props.channel)
    if (changed) props.onChange(await patchChannel(props.channel.id, changed))
  }, 'name')
  return (
    <Section title="General" about="Everyone who can see the channel sees changes at once.">
      <SettingsForm form={form} section="General">
        <ChannelFields form={form} saved={props.channel} />
      </SettingsForm>
    </Section>
  )
}
