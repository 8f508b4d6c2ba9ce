// The bar at the top of every page: home and title on the left; search, theme and account on the right.
import { A, useLocation } from '@solidjs/router'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { NamedWorkspace } from '../../shared/workspace.ts'
import { useSession } from '../data/session.tsx'
import { initialsOf } from '../lib/initials.ts'
import { signInPath } from '../lib/return-path.ts'
import { Logo } from '../ui/logo.tsx'
import { ThemeToggle } from '../ui/theme-toggle.tsx'
import { SearchButton } from './search-button.tsx'
import './top-bar.css'

/** `menu`: of the open channel. */
export function TopBar(props: { title?: JSX.Element; aside?: JSX.Element; menu?: JSX.Element }) {
  return (
    <header class="bar line">
      <HomeLink />
      <div class="bar-title">{props.title ?? <span class="bar-app">Channel Feed</span>}</div>
      <div class="bar-aside line">
        {props.aside}
        <SearchButton />
        <span class="bar-theme">
          <ThemeToggle />
        </span>
        <Show when={props.menu}>{menu => <span class="bar-menu">{menu()}</span>}</Show>
        <Account />
      </div>
    </header>
  )
}

export const HomeLink = () => (
  <A class="icon-button" href="/" aria-label="Channel Feed, home">
    <Logo size={24} />
  </A>
)

/** The way from a channel to its workspace. */
export const Crumb = (props: { of: NamedWorkspace }): JSX.Element => (
  <span class="crumb across">
    <A class="cut" href={`/w/${props.of.slug}`}>
      <bdi>{props.of.name}</bdi>
    </A>
    <span aria-hidden="true">/</span>
  </span>
)

/** A link to sign in or to the account. Empty until the session is known. `named`: with the account's name. */
export function Account(props: { named?: boolean }) {
  const { session, user } = useSession()
  const location = useLocation()
  return (
    <Switch>
      <Match when={session().state === 'signed-out' && location.pathname !== '/sign-in'}>
        <A class="bar-link" href={signInPath(location.pathname + location.search)}>
          Sign in
        </A>
      </Match>
      <Match when={user()}>
        {user => (
          <A
            class={props.named ? 'account-link fill across' : 'icon-button bar-account'}
            href="/dashboard/account"
            title={`${user().name} (${user().email})`}
          >
            <span class="initial" aria-hidden="true">
              {initialsOf(user().name)}
            </span>
            <span class="sr-only">Account of </span>
            <bdi class={props.named ? 'cut' : 'sr-only'}>{user().name}</bdi>
          </A>
        )}
      </Match>
    </Switch>
  )
}
