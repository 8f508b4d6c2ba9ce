// The general settings of a workspace.
import type { JSX } from 'solid-js'
import { changedOf } from '../lib/form-values.ts'
import { createForm } from '../ui/form.tsx'
import { type OwnWorkspace, patchWorkspace } from './api.ts'
import { NameAndIcon } from './general-fields.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

export type WorkspaceProps = { workspace: OwnWorkspace; onChange: (workspace: OwnWorkspace) => void }

export function WorkspaceGeneral(props: WorkspaceProps): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    const changed = changedOf({ name, icon }, props.workspace)
    if (changed) props.onChange(await patchWorkspace(props.workspace.id, changed))
  }, 'name')
  return (
    <Section title="General" about="The address stays the same when the name changes.">
      <SettingsForm form={form} section="General">
        <NameAndIcon form={form} name={props.workspace.name} icon={props.workspace.icon} />
      </SettingsForm>
    </Section>
  )
}
