// The settings of one workspace.
import { useNavigate } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { deleteWorkspace, fetchWorkspace } from '../dashboard/api.ts'
import { ConfirmDialog } from '../dashboard/dialog.tsx'
import { DashboardPage, Section } from '../dashboard/page.tsx'
import { WorkspaceAccess } from '../dashboard/workspace-access.tsx'
import { WorkspaceAttributes } from '../dashboard/workspace-attributes.tsx'
import { WorkspaceAddress, WorkspaceGeneral, WorkspaceLook } from '../dashboard/workspace-general.tsx'
import { createLoad, Loaded } from '../shell/load.tsx'

export function WorkspaceSettingsPage(props: { id: string }): JSX.Element {
  const { load, again, set } = createLoad(() => fetchWorkspace(props.id))
  const navigate = useNavigate()
  const known = () => {
    const now = load()
    return now.state === 'ready' ? now.value : undefined
  }

  async function remove(): Promise<void> {
    await deleteWorkspace(props.id)
    navigate('/', { replace: true })
  }

  return (
    <DashboardPage
      title={known()?.name ?? (load().state === 'failed' ? 'Workspace' : undefined)}
      icon={known()?.icon}
      crumbs={[{ href: '/', name: 'Channels' }]}
    >
      <Loaded load={load()} again={again}>
        {workspace => (
          <>
            <WorkspaceGeneral workspace={workspace()} onChange={set} />
            <WorkspaceAccess workspace={workspace()} onChange={set} />
            <WorkspaceAddress workspace={workspace()} onChange={set} />
            <WorkspaceLook workspace={workspace()} onChange={set} />
            <WorkspaceAttributes workspaceId={workspace().id} />
            <Section
              title="Delete the workspace"
              about="With all its channels, cards and logs. There is no way back."
              danger
            >
              <ConfirmDialog
                open="Delete workspace"
                title={`Delete ${workspace().name}?`}
                about="All its channels go with it, with their cards, attributes and logs, for everybody and for good. API keys that are confined to it stop working."
                typed={workspace().name}
                confirm="Delete workspace"
                busy="Deleting…"
                onConfirm={remove}
              />
            </Section>
          </>
        )}
      </Loaded>
    </DashboardPage>
  )
}
