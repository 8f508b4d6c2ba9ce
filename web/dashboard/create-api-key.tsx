// The dialog that creates an API key. The page shows the new key.
import type { JSX } from 'solid-js'
import { API_KEY_SCOPES, type CreatedApiKey, type Scope, scope } from '../../shared/api-key.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { createApiKey } from '../data/checked-requests.ts'
import { SelectField } from '../ui/choice.tsx'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'

const SCOPE_LABELS: Record<Scope, string> = {
  full: 'Full: also creates and deletes channels',
  write: 'Write: cards, attributes, actions',
  read: 'Read: changes nothing',
}
const SCOPES = API_KEY_SCOPES.map(value => ({ value, label: SCOPE_LABELS[value] }))

const DAY_MS = 86_400_000
const EXPIRIES = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

type Props = { workspaces: ListedWorkspace[]; onCreated: (key: CreatedApiKey) => void }

export function CreateApiKey(props: Props): JSX.Element {
  return (
    <FormDialog
      open="New key"
      name="key"
      button="button button-primary"
      title="New API key"
      about="For one script or service. Give it only the access it needs."
    >
      {close => <CreateApiKeyForm {...props} close={close} />}
    </FormDialog>
  )
}

function CreateApiKeyForm(props: Props & { close: () => void }): JSX.Element {
  const form = createForm(async values => {
    const { name = '', workspace_id, expires_at: days } = values
    const key = await createApiKey({
      name,
      scope: scope.parse(values.scope),
      workspace_id: workspace_id || null,
      expires_at: days ? new Date(Date.now() + Number(days) * DAY_MS).toISOString() : null,
    })
    props.onCreated(key)
    props.close()
  }, 'name')
  const workspaces = () => [
    { value: '', label: 'All workspaces' },
    ...props.workspaces.map(({ id, icon, name }) => ({ value: id, label: `${icon} ${name}` })),
  ]
  return (
    <Form form={form} submit="Create key" busy="Creating…" aside={<Cancel close={props.close} />}>
      <FormField form={form} name="name" label="Name" hint="Which script or service uses it" />
      <SelectField form={form} name="scope" label="Scope" value="write" options={SCOPES} />
      <SelectField form={form} name="workspace_id" label="Workspace" value="" options={workspaces()} />
      <SelectField form={form} name="expires_at" label="Expires" value="" options={EXPIRIES} />
    </Form>
  )
}
