// The user's API keys, and the button that revokes one. A new key is visible once, above the list.
import { A } from '@solidjs/router'
import { createSignal, type JSX, Show } from 'solid-js'
import type { ApiKey, CreatedApiKey } from '../../shared/api-key.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { CreateApiKey } from '../dashboard/create-api-key.tsx'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { RowList } from '../dashboard/row-list.tsx'
import { Secret } from '../dashboard/secret.tsx'
import { api, canRun, deleteApiKey, fetchApiKeys } from '../data/owner-requests.ts'
import { setTabKey } from '../data/tab-key.ts'
import { formatDate } from '../lib/format.ts'
import { Button } from '../ui/button.tsx'
import { Command } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { createFreshLoad, Loaded, readyValue } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import './api-keys.css'

type KeysAndWorkspaces = { keys: ApiKey[]; workspaces: ListedWorkspace[] }

const SCOPE_NAMES: Record<ApiKey['scope'], string> = { full: 'Full', write: 'Write', read: 'Read' }

export function ApiKeysPage(): JSX.Element {
  const { load, again, set } = createFreshLoad(fetchKeys)
  const [created, setCreated] = createSignal<CreatedApiKey>()

  function add({ key, ...rest }: CreatedApiKey, before: KeysAndWorkspaces): void {
    setCreated({ key, ...rest })
    setTabKey(key)
    set({ ...before, keys: [...before.keys, { ...rest, last_used_at: null }] })
  }

  function remove(id: string, before: KeysAndWorkspaces): void {
    if (created()?.id === id) {
      setCreated(undefined)
      setTabKey('')
    }
    set({ ...before, keys: before.keys.filter(key => key.id !== id) })
  }

  function dismiss(): void {
    setCreated(undefined)
    focusMain()
  }

  return (
    <DashboardPage
      title="API keys"
      actions={
        <Show when={readyValue(load())}>
          {loaded => (
            <CreateApiKey
              workspaces={loaded().workspaces.filter(canRun)}
              onCreated={key => add(key, loaded())}
            />
          )}
        </Show>
      }
    >
      <p class="dash-about">
        Automations send a key as <code>Authorization: Bearer &lt;key&gt;</code>. The{' '}
        <A href="/docs">API reference</A> lists what they can do with it.
      </p>
      <div role="status">
        <Show when={created()}>
          {created => (
            <section class="created-key stack" aria-label="The new key">
              <h2>
                Key “<bdi>{created().name}</bdi>” created. Copy it now; you won’t see it again.
              </h2>
              <Secret text={created().key} name="the key" primary>
                <Button onClick={dismiss}>Done</Button>
              </Secret>
              <Command
                text={`curl ${location.origin}/api/v1/workspaces \\\n  -H "Authorization: Bearer ${created().key}"`}
                what="the command that lists your workspaces"
              />
            </section>
          )}
        </Show>
      </div>
      <Loaded load={load()} again={again}>
        {loaded => <ApiKeyList {...loaded()} onRevoked={id => remove(id, loaded())} />}
      </Loaded>
    </DashboardPage>
  )
}

async function fetchKeys(): Promise<KeysAndWorkspaces> {
  const [keys, workspaces] = await Promise.all([fetchApiKeys(), api.workspaces()])
  return { keys, workspaces }
}

function ApiKeyList(props: KeysAndWorkspaces & { onRevoked: (id: string) => void }): JSX.Element {
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
              <bdi>{key().name}</bdi>
              <code>{key().prefix}…</code>
            </span>
            <span class="line">
              <span class="tag">{SCOPE_NAMES[key().scope]}</span>
              <span class="tag cut" dir="auto">
                {workspaceName(key(), props.workspaces)}
              </span>
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
