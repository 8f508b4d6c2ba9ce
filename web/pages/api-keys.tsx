// The API keys of the user: what each may do, when it was used, and the way to be rid of it.
import { createSignal, type JSX, Show } from 'solid-js'
import type { CreatedApiKey } from '../../shared/api-key.ts'
import { ApiKeyList, type Keys } from '../dashboard/api-key-list.tsx'
import { NewApiKey } from '../dashboard/new-api-key.tsx'
import { DashboardPage } from '../dashboard/page.tsx'
import { api, fetchApiKeys } from '../data/owner-client.ts'
import { focusMain } from '../ui/arrival.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'

export function ApiKeysPage(): JSX.Element {
  const { load, again, set } = createFreshLoad(fetchKeys)
  const [made, setMade] = createSignal<CreatedApiKey>()
  const known = () => {
    const now = load()
    return now.state === 'ready' ? now.value : undefined
  }

  function add({ key, ...created }: CreatedApiKey, before: Keys): void {
    setMade({ key, ...created })
    set({ ...before, keys: [...before.keys, { ...created, last_used_at: null }] })
  }

  function dismiss(): void {
    setMade(undefined)
    // The button that had the focus is gone.
    focusMain()
  }

  return (
    <DashboardPage
      title="API keys"
      actions={
        <Show when={known()}>
          {keys => <NewApiKey workspaces={keys().workspaces} onCreated={key => add(key, keys())} />}
        </Show>
      }
    >
      <p class="dash-about">
        Automations send a key as <code>Authorization: Bearer &lt;key&gt;</code>. The{' '}
        <a href="/api/v1/docs" rel="external">
          API reference
        </a>{' '}
        says what they can do with it.
      </p>
      <div role="status">
        <Show when={made()}>{key => <MadeKey made={key()} onDone={dismiss} />}</Show>
      </div>
      <Loaded load={load()} again={again}>
        {loaded => <ApiKeyList {...loaded()} onRevoked={id => forget(id, loaded())} />}
      </Loaded>
    </DashboardPage>
  )

  function forget(id: string, before: Keys): void {
    if (made()?.id === id) setMade(undefined)
    set({ ...before, keys: before.keys.filter(key => key.id !== id) })
  }
}

async function fetchKeys(): Promise<Keys> {
  const [keys, workspaces] = await Promise.all([fetchApiKeys(), api.workspaces()])
  return { keys, workspaces }
}

function MadeKey(props: { made: CreatedApiKey; onDone: () => void }): JSX.Element {
  return (
    <section class="panel" aria-label="The new key">
      <h2>“{props.made.name}” is made. Copy it now: it is not shown again.</h2>
      <div class="secret">
        <code data-key>{props.made.key}</code>
        <CopyButton text={props.made.key} what="the key" />
        <button type="button" class="button button-secondary button-small" onClick={() => props.onDone()}>
          Done
        </button>
      </div>
    </section>
  )
}
