// The right end of the top bar: a sign-in link, or the account link and sign-out. Empty until the session is known.
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

/** Narrow screens hide the sign-out button; the account page has one too. */
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
        <span class="initial">{[...props.user.name][0]?.toLocaleUpperCase()}</span>
      </A>
      <button
        type="button"
        class="bar-link bar-sign-out"
        title={failed() ? 'The server cannot be reached' : undefined}
        onClick={signOut}
      >
        {failed() ? 'Sign-out failed. Try again' : 'Sign out'}
      </button>
    </>
  )
}
