// Messages in a workspace where no channel matches or none exists.
import { A } from '@solidjs/router'
import { type JSX, Show } from 'solid-js'
import { SmallButton } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { useWorkspace } from '../workspace/workspace-context.ts'

export function NoMatch(): JSX.Element {
  const { search } = useWorkspace()

  /** The button disappears, so the focus goes back to the search. */
  function clear(): void {
    search.clear()
    document.querySelector<HTMLElement>('.search input, .side-line, .channels a, .tile-name')?.focus()
  }

  return (
    <div class="no-match line">
      <p>No channel matches.</p>
      <SmallButton onClick={clear}>Clear</SmallButton>
    </div>
  )
}

export function NoChannels(): JSX.Element {
  const { page } = useWorkspace()
  const command = () => `curl ${location.origin}/api/v1/channels \\
  -H "Authorization: Bearer $CHANNEL_FEED_KEY" \\
  -H "Content-Type: application/json" \\
  -d '{"name": "First channel", "workspace_id": "${page().workspace.id}"}'`
  return (
    <Notice title="No channels yet" heading="h2">
      <Show when={page().can_edit} fallback={<p>Channels appear here when the owner creates them.</p>}>
        <p>Create one with a script, or in the dashboard. It appears here at once.</p>
        <pre class="command">{command()}</pre>
        <p>
          The command reads an <A href="/dashboard/keys">API key</A> from the environment:{' '}
          <code>CHANNEL_FEED_KEY</code>.
        </p>
        <div class="line">
          <A class="button button-primary" href="/">
            Open the dashboard
          </A>
          <A class="button button-secondary" href={`/dashboard/workspaces/${page().workspace.id}`}>
            Workspace settings
          </A>
        </div>
      </Show>
    </Notice>
  )
}
