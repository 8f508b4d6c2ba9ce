// A workspace's name and icon.
import type { JSX } from 'solid-js'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { changedOf } from '../lib/form-values.ts'
import { EmojiField } from '../ui/emoji-field.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'

export type WorkspacePartProps = {
  workspace: ListedWorkspace
  onChange: (workspace: ListedWorkspace) => void
}

export function WorkspaceGeneral(props: WorkspacePartProps): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    const changed = changedOf({ name, icon }, props.workspace)
    if (changed) props.onChange(await patchWorkspace(props.workspace.id, changed))
  }, 'name')
  return (
    <Section title="General" about="The address stays the same when the name changes.">
      <SettingsForm form={form} what="General" submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="name"
          label="Name"
          type="text"
          autocomplete="off"
          value={props.workspace.name}
        />
        <EmojiField form={form} name="icon" label="Icon" value={props.workspace.icon} />
      </SettingsForm>
    </Section>
  )
}
