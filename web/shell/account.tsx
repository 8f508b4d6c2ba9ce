// The way in, or to the account and out, at the end of the top bar. Nothing while it is not known who looks.
import { A, useLocation } from '@solidjs/router'
import { Match, Switch } from 'solid-js'
import type { User } from '../../shared/user.ts'
import { useSession } from '../data/session.tsx'
import { signInPath } from '../lib/return-path.ts'
import { createSignOut } from './sign-out.ts'

export function Account() {
  const { session } = useSession()
  const location = useLocation()
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user : undefined
  }
  return (
    <Switch>
      <Match when={session().state === 'signed-out' && location.pathname !== '/sign-in'}>
        <A class="bar-link" href={signInPath(location.pathname + location.search)}>
          Sign in
        </A>
      </Match>
      <Match when={user()}>{user => <SignedIn user={user()} />}</Match>
    </Switch>
  )
}

/** Where there is little room, signing out stands on the account's page only. */
function SignedIn(props: { user: User }) {
  const { signOut, failed } = createSignOut()
  return (
    <>
      <A
        class="icon-button"
        href="/dashboard/account"
        aria-label={`Account of ${props.user.name}`}
        title={`${props.user.name} (${props.user.email})`}
      >
        <span class="initial">{initialOf(props.user.name)}</span>
      </A>
      <button
        type="button"
        class="bar-link bar-sign-out"
        title={failed() ? 'The server cannot be reached' : undefined}
        onClick={signOut}
      >
        {failed() ? 'Not signed out: try again' : 'Sign out'}
      </button>
    </>
  )
}

const initialOf = (name: string) => [...name][0]?.toLocaleUpperCase()
