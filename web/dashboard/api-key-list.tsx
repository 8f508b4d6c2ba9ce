// The list of keys: what each may do and reach, when it was used, and the way to be rid of it.
import { type JSX, Show } from 'solid-js'
import type { ApiKey } from '../../shared/api-key.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { deleteApiKey } from '../data/owner-client.ts'
import { formatDate } from '../lib/format.ts'
import { focusMain } from '../ui/arrival.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import { ById } from './by-id.tsx'

export type Keys = { keys: ApiKey[]; workspaces: ListedWorkspace[] }

const SCOPE_WORDS: Record<ApiKey['scope'], string> = { full: 'Full', write: 'Write', read: 'Read' }

export function ApiKeyList(props: Keys & { onRevoked: (id: string) => void }): JSX.Element {
  let list: HTMLUListElement | undefined

  async function revoke(id: string): Promise<void> {
    await deleteApiKey(id)
    props.onRevoked(id)
    // The button that had the focus is gone, and with the last key the list.
    queueMicrotask(() => (list?.isConnected ? list.focus() : focusMain()))
  }

  return (
    <Show
      when={props.keys.length > 0}
      fallback={
        <Notice title="No keys" heading="h2">
          <p>Nothing can push cards for you yet. Make a key for each script or service that should.</p>
        </Notice>
      }
    >
      <ul class="rows" tabIndex={-1} ref={list} aria-label="API keys">
        <ById each={props.keys}>
          {key => (
            <li class="row key-row">
              <span class="key-name">
                {key().name}
                <code>{key().prefix}…</code>
              </span>
              <span class="key-facts">
                <span class="tag">{SCOPE_WORDS[key().scope]}</span>
                <span class="tag">{placeOf(key(), props.workspaces)}</span>
              </span>
              <span class="key-times quiet">
                <span>
                  <Show when={key().last_used_at} fallback="Never used">
                    {at => <TimeAgo iso={at()} prefix="Used " />}
                  </Show>
                </span>
                <Expiry at={key().expires_at} />
              </span>
              <ConfirmDialog
                open="Revoke"
                label={`Revoke ${key().name}`}
                button="button button-secondary button-small"
                title={`Revoke “${key().name}”?`}
                about="Whatever uses it is refused from now on. This cannot be undone."
                confirm="Revoke key"
                busy="Revoking…"
                onConfirm={() => revoke(key().id)}
              />
            </li>
          )}
        </ById>
      </ul>
    </Show>
  )
}

function Expiry(props: { at: string | null }): JSX.Element {
  return (
    <Show when={props.at} fallback={<span>Does not expire</span>}>
      {at => (
        <span classList={{ expired: Date.parse(at()) <= Date.now() }}>
          {Date.parse(at()) <= Date.now() ? 'Expired ' : 'Expires '}
          {formatDate(at())}
        </span>
      )}
    </Show>
  )
}

function placeOf(key: ApiKey, workspaces: ListedWorkspace[]): string {
  if (key.workspace_id === null) return 'All workspaces'
  return workspaces.find(({ id }) => id === key.workspace_id)?.name ?? 'A deleted workspace'
}
