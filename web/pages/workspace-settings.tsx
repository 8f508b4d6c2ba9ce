// The settings of one workspace.
import type { JSX } from 'solid-js'
import { deleteWorkspace, fetchAttributeSettings, fetchWorkspace } from '../dashboard/api.ts'
import { DeleteSection, SettingsPage } from '../dashboard/settings-page.tsx'
import { WorkspaceAccess } from '../dashboard/workspace-access.tsx'
import { WorkspaceAddress } from '../dashboard/workspace-address.tsx'
import { WorkspaceAttributes } from '../dashboard/workspace-attributes.tsx'
import { WorkspaceGeneral } from '../dashboard/workspace-general.tsx'
import { WorkspaceLayout } from '../dashboard/workspace-layout.tsx'
import { createFreshLoad } from '../ui/load.tsx'

export function WorkspaceSettingsPage(props: { id: string }): JSX.Element {
  // The layout previews use them too.
  const settings = createFreshLoad(() => fetchAttributeSettings(props.id))
  return (
    <SettingsPage
      kind="Workspace"
      read={() => fetchWorkspace(props.id)}
      open={({ slug }) => ({ href: `/w/${slug}`, name: 'Open workspace' })}
    >
      {(workspace, set) => (
        <>
          <WorkspaceGeneral workspace={workspace()} onChange={set} />
          <WorkspaceAccess workspace={workspace()} onChange={set} />
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
        </>
      )}
    </SettingsPage>
  )
}
