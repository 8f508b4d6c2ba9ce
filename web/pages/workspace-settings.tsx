// The settings of one workspace.
import type { JSX } from 'solid-js'
import { Deletion, ThingPage } from '../dashboard/thing-page.tsx'
import { WorkspaceAccess } from '../dashboard/workspace-access.tsx'
import { WorkspaceAddress } from '../dashboard/workspace-address.tsx'
import { WorkspaceAttributes } from '../dashboard/workspace-attributes.tsx'
import { WorkspaceGeneral } from '../dashboard/workspace-general.tsx'
import { WorkspaceLook } from '../dashboard/workspace-look.tsx'
import { deleteWorkspace, fetchAttributeSettings, fetchWorkspace } from '../data/owner-client.ts'
import { createFreshLoad } from '../ui/load.tsx'

export function WorkspaceSettingsPage(props: { id: string }): JSX.Element {
  // The picture of the layout shows them too.
  const settings = createFreshLoad(() => fetchAttributeSettings(props.id))
  return (
    <ThingPage
      what="Workspace"
      read={() => fetchWorkspace(props.id)}
      open={({ slug }) => ({ href: `/w/${slug}`, name: 'Open workspace' })}
    >
      {(workspace, set) => (
        <>
          <WorkspaceGeneral workspace={workspace()} onChange={set} />
          <WorkspaceAccess workspace={workspace()} onChange={set} />
          <WorkspaceAddress workspace={workspace()} onChange={set} />
          <WorkspaceLook workspace={workspace()} settings={settings.load()} onChange={set} />
          <WorkspaceAttributes workspaceId={workspace().id} settings={settings} />
          <Deletion
            what="workspace"
            name={workspace().name}
            about="With all its channels, cards and logs. There is no way back."
            gone="All its channels go with it, with their cards, attributes and logs, for everybody and for good. API keys that are confined to it stop working."
            onDelete={() => deleteWorkspace(props.id)}
          />
        </>
      )}
    </ThingPage>
  )
}
