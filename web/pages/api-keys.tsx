// The user's API keys. A new key is visible once, above the list.
import { createSignal, type JSX, Show } from 'solid-js'
import type { CreatedApiKey } from '../../shared/api-key.ts'
import { ApiKeyList, type KeysAndWorkspaces } from '../dashboard/api-key-list.tsx'
import { CreateApiKey } from '../dashboard/create-api-key.tsx'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { Secret } from '../dashboard/secret.tsx'
import { fetchApiKeys, fetchWorkspaces } from '../data/owner-requests.ts'
import { SmallButton } from '../ui/button.tsx'
import { createFreshLoad, Loaded, readyValue } from '../ui/load.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import './api-keys.css'

export function ApiKeysPage(): JSX.Element {
  const { load, again, set } = createFreshLoad(fetchKeys)
  const [created, setCreated] = createSignal<CreatedApiKey>()

  function add({ key, ...rest }: CreatedApiKey, before: KeysAndWorkspaces): void {
    setCreated({ key, ...rest })
    set({ ...before, keys: [...before.keys, { ...rest, last_used_at: null }] })
  }

  function remove(id: string, before: KeysAndWorkspaces): void {
    if (created()?.id === id) setCreated(undefined)
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
          {loaded => <CreateApiKey workspaces={loaded().workspaces} onCreated={key => add(key, loaded())} />}
        </Show>
      }
    >
      <p class="dash-about">
        Automations send a key as <code>Authorization: Bearer &lt;key&gt;</code>. The{' '}
        <a href="/api/v1/docs" rel="external">
          API reference
        </a>{' '}
        lists what they can do with it.
      </p>
      <div role="status">
        <Show when={created()}>
          {created => (
            <section class="created-key stack" aria-label="The new key">
              <h2>Key “{created().name}” created. Copy it now; you won’t see it again.</h2>
              <Secret text={created().key} name="the key">
                <SmallButton onClick={dismiss}>Done</SmallButton>
              </Secret>
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
  const [keys, workspaces] = await Promise.all([fetchApiKeys(), fetchWorkspaces()])
  return { keys, workspaces }
}
