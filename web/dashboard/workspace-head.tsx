// The heading of a workspace on home, and what its people can do with it.
import { A, useNavigate } from '@solidjs/router'
import { type JSX, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Visibility } from '../../shared/channel.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { createMedia, NARROW } from '../lib/media.ts'
import { ROLE_NAMES } from '../lib/role-words.ts'
import { firstCardIn } from '../shell/start-path.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { IconMore } from '../ui/icons.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { IconOpen, IconSettings } from '../ui/page-icons.tsx'
import { CreateChannel } from './create-channel.tsx'
import { IconSignOut } from './nav-icons.tsx'

const VISIBILITY_LABELS: Record<Visibility, string> = {
  private: 'Private',
  protected: 'With password',
  public: 'Public',
}

type WorkspaceProps = { workspace: ListedWorkspace; primary?: boolean; onLeave: () => void }

/** A workspace of somebody else stands below a heading. */
export function WorkspaceHeading(props: WorkspaceProps): JSX.Element {
  const isOwn = () => props.workspace.role === 'owner'
  return (
    <header class="workspace-head line">
      <Dynamic component={isOwn() ? 'h2' : 'h3'} class="across">
        <ChannelIcon icon={props.workspace.icon} />
        <bdi>{props.workspace.name}</bdi>
      </Dynamic>
      <span class="tag">
        {isOwn() ? VISIBILITY_LABELS[props.workspace.visibility] : ROLE_NAMES[props.workspace.role]}
      </span>
      <div class="workspace-tools line">
        <WorkspaceTools {...props} />
      </div>
    </header>
  )
}

/** On a narrow screen, the links are in a menu. */
export function WorkspaceTools(props: WorkspaceProps): JSX.Element {
  const navigate = useNavigate()
  const narrow = createMedia(NARROW)
  const look = () => (props.primary ? 'button button-secondary' : 'button button-plain button-small')
  const places = () => ({
    page: `/w/${props.workspace.slug}`,
    settings: `/dashboard/workspaces/${props.workspace.id}`,
  })
  const mayLeave = () => props.workspace.role !== 'owner'
  return (
    <>
      <Show when={!narrow()}>
        <Show when={mayLeave()}>
          <button
            type="button"
            class="button button-plain button-small"
            aria-label={`Leave ${props.workspace.name}`}
            onClick={() => props.onLeave()}
          >
            Leave…
          </button>
        </Show>
        <A class={look()} href={places().page} aria-label={`Open workspace ${props.workspace.name}`}>
          Open workspace
        </A>
        <A class={look()} href={places().settings} aria-label={`Settings of ${props.workspace.name}`}>
          Settings
        </A>
      </Show>
      <CreateChannel
        workspace={props.workspace}
        primary={props.primary}
        onCreated={channel => navigate(firstCardIn(channel.id))}
      />
      <Show when={narrow()}>
        <MenuButton
          label={`Menu of ${props.workspace.name}`}
          icon={<IconMore />}
          items={[
            { name: 'Open workspace', icon: <IconOpen />, does: { href: places().page } },
            { name: 'Settings', icon: <IconSettings />, does: { href: places().settings } },
            ...(mayLeave()
              ? [{ name: 'Leave…', icon: <IconSignOut />, apart: true, does: { run: () => props.onLeave() } }]
              : []),
          ]}
        />
      </Show>
    </>
  )
}
