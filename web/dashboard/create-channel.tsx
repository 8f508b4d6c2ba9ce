// The form that creates a channel: in a dialog, or on the page of the first run.
import type { JSX } from 'solid-js'
import type { CreatedChannel } from '../../shared/channel.ts'
import { createChannel } from '../data/checked-requests.ts'
import { makeIdempotencyKeys } from '../lib/idempotency-keys.ts'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { createForm, Form } from '../ui/form.tsx'
import { ChannelFields, readChannelFields } from './general-fields.tsx'

export function CreateChannel(props: {
  workspace: { id: string; name: string }
  primary?: boolean
  onCreated: (channel: CreatedChannel) => void
}): JSX.Element {
  return (
    <FormDialog
      open="New channel"
      name={`channel-${props.workspace.id}`}
      button={props.primary ? 'button button-primary' : 'button button-secondary button-small'}
      label={`New channel in ${props.workspace.name}`}
      title="New channel"
      about={`Automations push cards into it. It belongs to ${props.workspace.name}.`}
    >
      {close => (
        <CreateChannelForm workspaceId={props.workspace.id} onCreated={props.onCreated} close={close} />
      )}
    </FormDialog>
  )
}

export function CreateChannelForm(props: {
  workspaceId: string
  onCreated: (channel: CreatedChannel) => void
  close?: () => void
}): JSX.Element {
  const once = makeIdempotencyKeys()
  const form = createForm(async values => {
    const body = { workspace_id: props.workspaceId, ...readChannelFields(values) }
    const channel = await createChannel(body, { idempotency_key: once.keyFor(JSON.stringify(body)) })
    once.responded()
    props.close?.()
    props.onCreated(channel)
  }, 'name')
  return (
    <Form form={form} submit="Create channel" busy="Creating…" aside={<Cancel close={props.close} />}>
      <ChannelFields form={form} />
    </Form>
  )
}
