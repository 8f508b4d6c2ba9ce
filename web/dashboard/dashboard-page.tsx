// The frame of every dashboard page: navigation, heading, and the redirect to sign-in.
import { A, useLocation, useNavigate } from '@solidjs/router'
import { createEffect, createMemo, createSignal, For, type JSX, on, onMount, Show, untrack } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { listen } from '../lib/listen.ts'
import { signInPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import './dashboard-page.css'

export type PageLink = { href: string; name: string }
type Props = {
  /** Undefined while it loads. */
  title: string | undefined
  icon?: string
  belowHome?: boolean
  actions?: JSX.Element
  tabs?: PageLink[]
  narrow?: boolean
  wide?: boolean
  children: JSX.Element
}

const PAGES: PageLink[] = [
  { href: '/', name: 'Channels' },
  { href: '/dashboard/builder', name: 'Card builder' },
  { href: '/dashboard/keys', name: 'API keys' },
  { href: '/dashboard/usage', name: 'Usage' },
]

export function DashboardPage(props: Props): JSX.Element {
  const { session } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const isSignedOut = createMemo(() => session().state === 'signed-out')
  createDocumentTitle(() => props.title)
  // When a session ends, the open page stays until the navigation succeeds: a form with edits asks first.
  createEffect(
    on(isSignedOut, signedOut => {
      if (signedOut) navigate(signInPath(location.pathname + location.search), { replace: true })
    }),
  )
  return (
    <Show when={!untrack(isSignedOut)}>
      <TopBar
        title={
          <nav class="places" aria-label="Dashboard">
            <For each={PAGES}>
              {({ href, name }) => (
                <A
                  href={href}
                  end
                  activeClass="place-here"
                  classList={{ 'place-around': href === '/' && props.belowHome }}
                >
                  {name}
                </A>
              )}
            </For>
          </nav>
        }
      />
      <OfflineNote />
      <main class="dash" classList={{ 'dash-narrow': props.narrow, 'dash-wide': props.wide }}>
        <Heading {...props} />
        {props.children}
      </main>
    </Show>
  )
}

function Heading(props: Props): JSX.Element {
  let heading: HTMLHeadingElement | undefined
  // Screen readers announce the new page by its heading.
  onMount(() => heading?.focus({ preventScroll: true }))
  return (
    <header class="dash-head">
      <Show when={props.belowHome}>
        <nav class="crumbs small" aria-label="Parent pages">
          <A href="/">Channels</A>
        </nav>
      </Show>
      <div class="dash-title line">
        <h1 class="across" tabIndex={-1} ref={heading}>
          <Show when={props.icon}>{icon => <ChannelIcon icon={icon()} />}</Show>
          <bdi>{props.title ?? 'Loading…'}</bdi>
        </h1>
        <div class="across">{props.actions}</div>
      </div>
      <Show when={props.tabs}>
        <nav class="views" aria-label="Views">
          <For each={props.tabs}>
            {tab => (
              <A href={tab.href} end activeClass="view-here">
                {tab.name}
              </A>
            )}
          </For>
        </nav>
      </Show>
    </header>
  )
}

function OfflineNote(): JSX.Element {
  const [offline, setOffline] = createSignal(!navigator.onLine)
  const update = () => setOffline(!navigator.onLine)
  listen(window, 'online', update)
  listen(window, 'offline', update)
  return (
    <div role="status">
      <Show when={offline()}>
        <p class="offline-note across">
          You are offline. This may be out of date. Reconnect to make changes.
        </p>
      </Show>
    </div>
  )
}
