// Makes a channel, in a dialog; the form is also the second step of the first run.
import type { JSX } from 'solid-js'
import { type CreatedChannel, DEFAULT_CHANNEL_ICON, mode } from '../../shared/channel.ts'
import { createChannel } from '../data/checked-requests.ts'
import { createOnce } from '../lib/once.ts'
import { SelectField, TextAreaField } from '../ui/choice.tsx'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { EmojiField } from '../ui/emoji-field.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { MODES } from './channel-general.tsx'

export type NewChannelProps = {
  workspace: { id: string; name: string }
  onCreated: (channel: CreatedChannel) => void
}

export function NewChannel(props: NewChannelProps): JSX.Element {
  return (
    <FormDialog
      open="New channel"
      name={`channel-${props.workspace.id}`}
      button="button button-secondary button-small"
      label={`New channel in ${props.workspace.name}`}
      title="New channel"
      about={`A feed in ${props.workspace.name} that automations push cards into.`}
    >
      {close => (
        <NewChannelForm
          workspaceId={props.workspace.id}
          onCreated={channel => {
            close()
            props.onCreated(channel)
          }}
          aside={<Cancel close={close} />}
        />
      )}
    </FormDialog>
  )
}

export type NewChannelFormProps = {
  workspaceId: string
  onCreated: (channel: CreatedChannel) => void | Promise<void>
  aside?: JSX.Element
}

export function NewChannelForm(props: NewChannelFormProps): JSX.Element {
  const once = createOnce()
  const form = createForm(async values => {
    const { name = '', icon = '', description = '' } = values
    const body = {
      workspace_id: props.workspaceId,
      name,
      icon,
      description: description === '' ? null : description,
      mode: mode.parse(values.mode),
    }
    const channel = await createChannel(body, { idempotency_key: once.keyFor(JSON.stringify(body)) })
    once.answered()
    await props.onCreated(channel)
  }, 'name')
  return (
    <Form form={form} submit="Create channel" busy="Creating…" aside={props.aside}>
      <FormField form={form} name="name" label="Name" type="text" autocomplete="off" />
      <EmojiField form={form} name="icon" label="Icon" value={DEFAULT_CHANNEL_ICON} />
      <TextAreaField form={form} name="description" label="Description" value="" hint="Optional" />
      <SelectField form={form} name="mode" label="Mode" value="interactive" options={MODES} />
    </Form>
  )
}
