// Messages in a workspace where no channel matches or none exists.
import { A } from '@solidjs/router'
import { type JSX, Show } from 'solid-js'
import { newChannelIn } from '../shell/start-path.ts'
import { SmallButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import type { FilterGroup } from '../workspace/matching.ts'
import { useWorkspace } from '../workspace/workspace-context.ts'

export function NoMatch(): JSX.Element {
  const { page, search } = useWorkspace()

  const words = () => {
    const isOnlyFilter = search.text() === '' && search.groups().every(isUnused)
    if (isOnlyFilter && search.state() === 'unread') return 'No unread cards.'
    if (isOnlyFilter && search.state() === 'waiting')
      return page().can_act ? 'Nothing needs you.' : 'No decisions are waiting.'
    return 'No channel matches.'
  }

  /** The button disappears, so the focus goes back to the search. */
  function clear(): void {
    search.clear()
    document.querySelector<HTMLElement>('.search input, .side-line, .channels a, .tile-name')?.focus()
  }

  return (
    <div class="no-match line">
      <p>{words()}</p>
      <SmallButton onClick={clear}>Clear</SmallButton>
    </div>
  )
}

const isUnused = ({ values }: FilterGroup) => values.every(({ chosen }) => !chosen)

export function NoChannels(): JSX.Element {
  const { page } = useWorkspace()
  return (
    <Notice title="No channels yet" heading="h2">
      <Show when={page().can_edit} fallback={<p>Channels appear here when the owner creates them.</p>}>
        <p>
          Create one here, or with a script as the <A href="/docs">API reference</A> shows. It appears at
          once.
        </p>
        <div class="line">
          <A class="button button-primary" href={newChannelIn(page().workspace.id)}>
            New channel
          </A>
          <A class="button button-secondary" href={`/dashboard/workspaces/${page().workspace.id}`}>
            Workspace settings
          </A>
        </div>
      </Show>
    </Notice>
  )
}
