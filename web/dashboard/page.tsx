// What every page of the dashboard has: where one is, the way to the others, and who may be here.
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
import { signInPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import '../styles/dashboard.css'
import '../styles/settings.css'

export type Crumb = { href: string; name: string }
export type DashboardPageProps = {
  title: string | undefined
  icon?: string
  crumbs?: Crumb[]
  /** What can be done here, beside the title. */
  actions?: JSX.Element
  /** The views of one thing, below the title. */
  views?: Crumb[]
  /** A page of one form. */
  narrow?: boolean
  /** A page that uses all of a wide screen. */
  wide?: boolean
  children: JSX.Element
}

const PLACES: Crumb[] = [
  { href: '/', name: 'Channels' },
  { href: '/dashboard/builder', name: 'Card builder' },
  { href: '/dashboard/keys', name: 'API keys' },
  { href: '/dashboard/usage', name: 'Usage' },
]

export function DashboardPage(props: DashboardPageProps): JSX.Element {
  const { session } = useSession()
  const location = useLocation()
  const navigate = useNavigate()
  const isOut = createMemo(() => session().state === 'signed-out')
  let heading: HTMLHeadingElement | undefined
  createDocumentTitle(() => props.title)
  // Where the session ends in the middle the page stays until it is left: a form with edits asks before.
  createEffect(
    on(isOut, out => {
      if (out) navigate(signInPath(location.pathname + location.search), { replace: true })
    }),
  )
  // So that a screen reader says where one has come to.
  onMount(() => heading?.focus({ preventScroll: true }))
  return (
    <Show when={!untrack(isOut)}>
      <TopBar
        title={
          <nav class="places" aria-label="Dashboard">
            <For each={PLACES}>
              {place => (
                <A
                  href={place.href}
                  end
                  activeClass="place-here"
                  classList={{ 'place-around': place.href === '/' && props.crumbs !== undefined }}
                >
                  {place.name}
                </A>
              )}
            </For>
          </nav>
        }
      />
      <OfflineNote />
      <main class="dash" classList={{ 'dash-narrow': props.narrow, 'dash-wide': props.wide }}>
        <header class="dash-head">
          <Show when={props.crumbs}>
            {crumbs => (
              <nav class="crumbs" aria-label="Above this page">
                <For each={crumbs()}>{crumb => <A href={crumb.href}>{crumb.name}</A>}</For>
              </nav>
            )}
          </Show>
          <div class="dash-title">
            <h1 tabIndex={-1} ref={heading}>
              <Show when={props.icon}>
                <span class="channel-icon" aria-hidden="true">
                  {props.icon}
                </span>
              </Show>
              <bdi>{props.title ?? 'Loading…'}</bdi>
            </h1>
            <div class="dash-actions">{props.actions}</div>
          </div>
          <Show when={props.views}>
            {views => (
              <nav class="views" aria-label="Views">
                <For each={views()}>
                  {view => (
                    <A href={view.href} end activeClass="view-here">
                      {view.name}
                    </A>
                  )}
                </For>
              </nav>
            )}
          </Show>
        </header>
        {props.children}
      </main>
    </Show>
  )
}

function OfflineNote(): JSX.Element {
  const [offline, setOffline] = createSignal(!navigator.onLine)
  const look = () => setOffline(!navigator.onLine)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  onCleanup(() => {
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
  })
  return (
    <div role="status">
      <Show when={offline()}>
        <p class="offline-note">
          You are offline. What stands here may be old, and changes need a connection.
        </p>
      </Show>
    </div>
  )
}

export type SectionProps = { title: string; about?: JSX.Element; children: JSX.Element; danger?: boolean }

/** One matter of a page of settings: what it is about on the left, the settings on the right. */
export function Section(props: SectionProps): JSX.Element {
  return (
    <section class="section" classList={{ 'section-danger': props.danger }} aria-label={props.title}>
      <div class="section-head">
        <h2>{props.title}</h2>
        <Show when={props.about}>
          <p class="hint">{props.about}</p>
        </Show>
      </div>
      <div class="section-body">{props.children}</div>
    </section>
  )
}
