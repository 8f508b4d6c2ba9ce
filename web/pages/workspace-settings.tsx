// The settings of one workspace.
import { A } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { NameAndIcon } from '../dashboard/general-fields.tsx'
import { Section } from '../dashboard/section.tsx'
import { SettingsForm } from '../dashboard/settings-form.tsx'
import { DeleteSection, SettingsPage, type WorkspaceProps } from '../dashboard/settings-page.tsx'
import { SettingsSections } from '../dashboard/settings-sections.tsx'
import { WorkspaceAccessForm } from '../dashboard/workspace-access.tsx'
import { WorkspaceAddress } from '../dashboard/workspace-address.tsx'
import { WorkspaceAttributes } from '../dashboard/workspace-attributes.tsx'
import { WorkspaceChannels } from '../dashboard/workspace-channels.tsx'
import { WorkspaceLayout } from '../dashboard/workspace-layout.tsx'
import { patchWorkspace } from '../data/checked-requests.ts'
import { deleteWorkspace, fetchAttributeSettings, fetchWorkspace } from '../data/owner-requests.ts'
import { changedFields } from '../lib/form-values.ts'
import { createForm } from '../ui/form.tsx'
import { createFreshLoad } from '../ui/load.tsx'

export function WorkspaceSettingsPage(props: { id: string }): JSX.Element {
  // The layout previews use them too.
  const settings = createFreshLoad(() => fetchAttributeSettings(props.id))
  return (
    <SettingsPage
      kind="Workspace"
      read={() => fetchWorkspace(props.id)}
      actions={workspace => (
        <A class="button button-secondary" href={`/w/${workspace().slug}`}>
          Open workspace
        </A>
      )}
    >
      {(workspace, set) => (
        <SettingsSections>
          <General workspace={workspace()} onChange={set} />
          <WorkspaceChannels workspace={workspace()} />
          <WorkspaceAccessForm workspace={workspace()} onChange={set} />
          <WorkspaceAddress workspace={workspace()} onChange={set} />
          <WorkspaceLayout workspace={workspace()} settings={settings.load()} onChange={set} />
          <WorkspaceAttributes workspaceId={workspace().id} settings={settings} />
          <DeleteSection
            kind="workspace"
            name={workspace().name}
            about="With all its channels, cards and logs. This can’t be undone."
            details="This also deletes its channels with their cards, attributes and logs, for everyone. API keys limited to it stop working. It can’t be undone."
            onDelete={() => deleteWorkspace(props.id)}
          />
        </SettingsSections>
      )}
    </SettingsPage>
  )
}

function General(props: WorkspaceProps): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    const changed = changedFields({ name, icon }, props.workspace)
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
