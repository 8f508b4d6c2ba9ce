// The user's API keys: scope, last use, expiry, and the button that revokes a key.
import { type JSX, Show } from 'solid-js'
import type { ApiKey } from '../../shared/api-key.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { deleteApiKey } from '../data/owner-requests.ts'
import { formatDate } from '../lib/format.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import { RowList } from './row-list.tsx'
import './api-key-list.css'

export type KeysAndWorkspaces = { keys: ApiKey[]; workspaces: ListedWorkspace[] }

const SCOPE_NAMES: Record<ApiKey['scope'], string> = { full: 'Full', write: 'Write', read: 'Read' }

export function ApiKeyList(props: KeysAndWorkspaces & { onRevoked: (id: string) => void }): JSX.Element {
  let list: HTMLUListElement | undefined

  async function revoke(id: string): Promise<void> {
    await deleteApiKey(id)
    props.onRevoked(id)
    // The focused button is gone. After the last key, so is the list.
    queueMicrotask(() => (list?.isConnected ? list.focus() : focusMain()))
  }

  return (
    <Show
      when={props.keys.length > 0}
      fallback={
        <Notice title="No API keys yet" heading="h2">
          <p>Create a key for each script or service that pushes cards for you.</p>
        </Notice>
      }
    >
      <RowList label="API keys" each={props.keys} ref={list}>
        {key => (
          <li class="row key-row">
            <span class="stack item-name">
              {key().name}
              <code>{key().prefix}…</code>
            </span>
            <span class="line">
              <span class="tag">{SCOPE_NAMES[key().scope]}</span>
              <span class="tag cut">{workspaceName(key(), props.workspaces)}</span>
            </span>
            <span class="stack quiet">
              <span>
                <Show when={key().last_used_at} fallback="Never used">
                  {at => <TimeAgo iso={at()} prefix="Used " />}
                </Show>
              </span>
              <span classList={{ expired: isExpired(key()) }}>{expiryText(key())}</span>
            </span>
            <ConfirmDialog
              open="Revoke"
              label={`Revoke ${key().name}`}
              button="button button-secondary button-small"
              title={`Revoke “${key().name}”?`}
              about="Requests with this key will fail from now on. This can’t be undone."
              confirm="Revoke key"
              busy="Revoking…"
              onConfirm={() => revoke(key().id)}
            />
          </li>
        )}
      </RowList>
    </Show>
  )
}

const isExpired = ({ expires_at }: ApiKey) => expires_at !== null && Date.parse(expires_at) <= Date.now()

function expiryText(key: ApiKey): string {
  if (key.expires_at === null) return 'Never expires'
  return `${isExpired(key) ? 'Expired' : 'Expires'} ${formatDate(key.expires_at)}`
}

function workspaceName(key: ApiKey, workspaces: ListedWorkspace[]): string {
  if (key.workspace_id === null) return 'All workspaces'
  return workspaces.find(({ id }) => id === key.workspace_id)?.name ?? 'A deleted workspace'
}
