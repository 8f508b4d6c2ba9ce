// A workspace's page: its channels, for whoever its visibility lets in.
import { A, useLocation, useParams } from '@solidjs/router'
import { For, type JSX, Match, Show, Switch } from 'solid-js'
import { fetchWorkspacePage, type ListedChannel, type WorkspacePageAnswer } from '../api.ts'
import { createDocumentTitle } from '../shell/document-title.ts'
import { IconLock, IconSearch } from '../shell/icons.tsx'
import { createLoad, Loaded } from '../shell/load.tsx'
import { Notice } from '../shell/notice.tsx'
import { signInPath } from '../shell/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { UnlockForm } from './unlock-form.tsx'

export default function WorkspacePage(): JSX.Element {
  const params = useParams<{ slug: string }>()
  return (
    <Show when={params.slug} keyed>
      {slug => <Workspace slug={slug} />}
    </Show>
  )
}

function Workspace(props: { slug: string }): JSX.Element {
  const loading = createLoad(() => fetchWorkspacePage(props.slug))
  const status = () => {
    const now = loading.load()
    return now.state === 'failed' ? now.status : null
  }
  createDocumentTitle(() => {
    const now = loading.load()
    return now.state === 'ready' ? now.value.workspace.name : undefined
  })
  return (
    <>
      <TopBar />
      <main class="page">
        <Switch
          fallback={
            <Loaded load={loading.load()} again={loading.again}>
              {answer => <Channels answer={answer()} />}
            </Loaded>
          }
        >
          <Match when={status() === 401 || status() === 403 || status() === 404}>
            <WorkspaceRefused
              slug={props.slug}
              status={status() ?? 404}
              password={isLocked(loading.load())}
              onAccess={loading.again}
            />
          </Match>
        </Switch>
      </main>
    </>
  )
}

const isLocked = (load: { state: string; message?: string }) => load.message === 'Password required'

function Channels(props: { answer: WorkspacePageAnswer }): JSX.Element {
  return (
    <section class="workspace">
      <h1 class="workspace-title">
        <span aria-hidden="true">{props.answer.workspace.icon}</span> {props.answer.workspace.name}
      </h1>
      <Show
        when={props.answer.channels.length > 0}
        fallback={<p class="quiet">This workspace has no channels yet.</p>}
      >
        <ul class="channels">
          <For each={props.answer.channels}>{channel => <ChannelLine channel={channel} />}</For>
        </ul>
      </Show>
    </section>
  )
}

function ChannelLine(props: { channel: ListedChannel }): JSX.Element {
  const count = () =>
    `${props.channel.card_count.toLocaleString()} ${props.channel.card_count === 1 ? 'card' : 'cards'}`
  return (
    <li>
      <A class="channel-line" href={`/c/${props.channel.id}`}>
        <span class="channel-icon" aria-hidden="true">
          {props.channel.icon}
        </span>
        <span class="channel-line-words">
          <span class="channel-line-name">{props.channel.name}</span>
          <Show when={props.channel.description}>
            {description => <span class="channel-line-about">{description()}</span>}
          </Show>
        </span>
        <span class="quiet">{count()}</span>
      </A>
    </li>
  )
}

type RefusedProps = { slug: string; status: number; password: boolean; onAccess: () => void }

function WorkspaceRefused(props: RefusedProps): JSX.Element {
  const location = useLocation()
  return (
    <Switch>
      <Match when={props.password}>
        <Notice title="This workspace asks for a password" icon={<IconLock />}>
          <p>Whoever shared it with you knows it.</p>
          <UnlockForm what={{ slug: props.slug }} onUnlocked={props.onAccess} />
        </Notice>
      </Match>
      <Match when={props.status === 401}>
        <Notice title="This workspace is private" icon={<IconLock />}>
          <p>Sign in with the account that owns it to see its channels.</p>
          <A class="button button-primary" href={signInPath(location.pathname)}>
            Sign in
          </A>
        </Notice>
      </Match>
      <Match when={props.status === 403}>
        <Notice title="You do not have access to this workspace" icon={<IconLock />}>
          <p>It belongs to another account. Ask its owner to make it public, or to share its password.</p>
        </Notice>
      </Match>
      <Match when={true}>
        <Notice title="There is no such workspace" icon={<IconSearch />}>
          <p>It may have been deleted, or its address is not complete.</p>
        </Notice>
      </Match>
    </Switch>
  )
}
