// The form that creates a workspace: in a dialog, or on the page of the first run.
import { useNavigate } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { type CreatedWorkspace, DEFAULT_WORKSPACE_ICON } from '../../shared/workspace.ts'
import { createWorkspace } from '../data/checked-requests.ts'
import { firstChannelIn } from '../shell/start-path.ts'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { createForm, Form } from '../ui/form.tsx'
import { NameAndIcon } from './general-fields.tsx'

export function CreateWorkspace(): JSX.Element {
  const navigate = useNavigate()
  return (
    <FormDialog
      open="New workspace"
      name="workspace"
      button="button button-secondary"
      title="New workspace"
      about="A workspace holds channels and controls who can see them. At first, only you can."
    >
      {close => <CreateWorkspaceForm onCreated={({ id }) => navigate(firstChannelIn(id))} close={close} />}
    </FormDialog>
  )
}

export function CreateWorkspaceForm(props: {
  onCreated: (workspace: CreatedWorkspace) => void
  close?: () => void
}): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    const workspace = await createWorkspace({ name, icon })
    props.close?.()
    props.onCreated(workspace)
  }, 'name')
  return (
    <Form form={form} submit="Create workspace" busy="Creating…" aside={<Cancel close={props.close} />}>
      <NameAndIcon form={form} icon={DEFAULT_WORKSPACE_ICON} />
    </Form>
  )
}
