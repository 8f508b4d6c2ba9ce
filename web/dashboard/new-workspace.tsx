// Makes a workspace, in a dialog; the form is also the first step of the first run.
import { useNavigate } from '@solidjs/router'
import type { JSX } from 'solid-js'
import type { CreatedWorkspace } from '../../shared/workspace.ts'
import { DEFAULT_WORKSPACE_ICON } from '../../shared/workspace.ts'
import { createWorkspace } from '../data/checked-requests.ts'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { EmojiField } from '../ui/emoji-field.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'

export function NewWorkspace(): JSX.Element {
  const navigate = useNavigate()
  return (
    <FormDialog
      open="New workspace"
      name="workspace"
      button="button button-secondary"
      title="New workspace"
      about="A workspace holds channels, and decides who may see them. At first only you may."
    >
      {close => (
        <NewWorkspaceForm
          onCreated={workspace => {
            close()
            navigate(`/dashboard/workspaces/${workspace.id}`)
          }}
          aside={<Cancel close={close} />}
        />
      )}
    </FormDialog>
  )
}

export type NewWorkspaceFormProps = {
  onCreated: (workspace: CreatedWorkspace) => void
  aside?: JSX.Element
}

export function NewWorkspaceForm(props: NewWorkspaceFormProps): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    props.onCreated(await createWorkspace({ name, icon }))
  }, 'name')
  return (
    <Form form={form} submit="Create workspace" busy="Creating…" aside={props.aside}>
      <FormField form={form} name="name" label="Name" type="text" autocomplete="off" />
      <EmojiField form={form} name="icon" label="Icon" value={DEFAULT_WORKSPACE_ICON} />
    </Form>
  )
}
