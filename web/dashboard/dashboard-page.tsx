// The frame of every dashboard page: side navigation, heading, and the redirect to sign-in. A public page has it for owners.
import { A, useLocation, useNavigate } from '@solidjs/router'
import {
  createEffect,
  createMemo,
  createSignal,
  For,
  type JSX,
  on,
  onCleanup,
  onMount,
  Show,
  untrack,
} from 'solid-js'
import { useSession } from '../data/session.tsx'
import { createOffline } from '../lib/offline.ts'
import { signInPath } from '../lib/return-path.ts'
import { SearchButton } from '../shell/search-button.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { Banner } from '../ui/banner.tsx'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconCloudOff } from '../ui/icons.tsx'
import { IconMenu } from './nav-icons.tsx'
import { NAV_ID, SideNav } from './side-nav.tsx'
import './dashboard-page.css'

/** The height of the bar on top of a narrow page. */
const BAR_PX = 52

export type PageLink = { href: string; name: string }
type Props = {
  /** Undefined while it loads. */
  title: string | undefined
  icon?: string
  actions?: JSX.Element
  tabs?: PageLink[]
  narrow?: boolean
  wide?: boolean
  /** Guests may read the page too. They see the top bar instead of the navigation. */
  public?: boolean
  children: JSX.Element
}

export function DashboardPage(props: Props): JSX.Element {
  const { session } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const isSignedOut = createMemo(() => session().state === 'signed-out')
  createDocumentTitle(() => props.title)
  // When a session ends, the open page stays until the navigation succeeds: a form with edits asks first.
  createEffect(
    on(isSignedOut, signedOut => {
      if (signedOut && !props.public)
        navigate(signInPath(location.pathname + location.search), { replace: true })
    }),
  )
  /** Whether the heading is out of sight. Then the bar shows the title. */
  const [headingGone, setHeadingGone] = createSignal(false)
  const isForGuest = () => props.public === true && isSignedOut()
  return (
    <Show when={props.public || !untrack(isSignedOut)}>
      <div class="shell" classList={{ 'shell-guest': isForGuest() }}>
        <Show when={!isForGuest()}>
          <SideNav title={props.title} />
        </Show>
        <div class="shell-page">
          <Show when={!isForGuest()} fallback={<TopBar />}>
            <Bar title={headingGone() ? props.title : undefined} />
          </Show>
          <OfflineNote />
          <main class="dash" classList={{ 'dash-narrow': props.narrow, 'dash-wide': props.wide }}>
            <Heading {...props} onGone={setHeadingGone} />
            {props.children}
          </main>
        </div>
      </div>
    </Show>
  )
}

function Bar(props: { title: string | undefined }): JSX.Element {
  return (
    <header class="shell-bar">
      <button type="button" class="icon-button" popovertarget={NAV_ID} title="Menu">
        <IconMenu />
        <span class="sr-only">Menu</span>
      </button>
      {/* The heading says the same. */}
      <span class="shell-bar-title cut" aria-hidden="true">
        {props.title}
      </span>
      <SearchButton />
    </header>
  )
}

function Heading(props: Props & { onGone: (gone: boolean) => void }): JSX.Element {
  let heading: HTMLHeadingElement | undefined
  const watch = new IntersectionObserver(entries => props.onGone(entries.at(-1)?.isIntersecting === false), {
    rootMargin: `-${BAR_PX}px 0px 0px`,
  })
  onMount(() => {
    if (heading) watch.observe(heading)
    // Screen readers announce the new page by its heading.
    heading?.focus({ preventScroll: true })
  })
  onCleanup(() => watch.disconnect())
  return (
    <header class="dash-head">
      <div class="dash-title line">
        <h1 class="across" tabIndex={-1} ref={heading}>
          <Show when={props.icon}>{icon => <ChannelIcon icon={icon()} />}</Show>
          <bdi>{props.title ?? 'Loading…'}</bdi>
        </h1>
        <div class="dash-actions line">{props.actions}</div>
      </div>
      <Show when={props.tabs}>
        <nav class="views" aria-label={props.title}>
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
  const offline = createOffline()
  return (
    <div role="status">
      <Show when={offline()}>
        <div class="dash-offline">
          <Banner status="warning" icon={<IconCloudOff />}>
            <strong>You are offline.</strong> This may be out of date. Reconnect to make changes.
          </Banner>
        </div>
      </Show>
    </div>
  )
}
