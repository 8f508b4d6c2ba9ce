// The workspaces on home that the person can open, but doesn't run.
import { A } from '@solidjs/router'
import type { JSX } from 'solid-js'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { ROLE_NAMES } from '../lib/role-words.ts'
import { SmallButton } from '../ui/button.tsx'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { KeyedFor } from './row-list.tsx'

export function OtherWorkspaces(props: {
  workspaces: ListedWorkspace[]
  onLeave: (workspace: ListedWorkspace) => void
}): JSX.Element {
  return (
    <ul class="other-workspaces surface surface-wide" aria-label="Workspaces shared with you">
      <KeyedFor each={props.workspaces}>
        {workspace => (
          <li class="other-workspace across">
            <A class="fill across" href={`/w/${workspace().slug}`}>
              <ChannelIcon icon={workspace().icon} />
              <span class="cut" dir="auto">
                {workspace().name}
              </span>
            </A>
            <span class="tag">{ROLE_NAMES[workspace().role]}</span>
            <SmallButton aria-label={`Leave ${workspace().name}`} onClick={() => props.onLeave(workspace())}>
              Leave…
            </SmallButton>
          </li>
        )}
      </KeyedFor>
    </ul>
  )
}
