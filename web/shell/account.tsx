// The right end of the top bar: a sign-in link, or the account link and sign-out. Empty until the session is known.
import { A, useLocation } from '@solidjs/router'
import { Match, Switch } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { signInPath } from '../lib/return-path.ts'
import { createSignOut } from './sign-out.ts'

export function Account() {
  const { session, user } = useSession()
  const { signOut, failed } = createSignOut()
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
          <>
            <A
              class="icon-button"
              href="/dashboard/account"
              aria-label={`Account of ${user().name}`}
              title={`${user().name} (${user().email})`}
            >
              <span class="initial">{[...user().name][0]?.toLocaleUpperCase()}</span>
            </A>
            {/* Narrow screens hide this button. The account page has another. */}
            <button
              type="button"
              class="bar-link bar-sign-out"
              title={failed() ? 'The server cannot be reached' : undefined}
              onClick={signOut}
            >
              {failed() ? 'Sign-out failed. Try again' : 'Sign out'}
            </button>
          </>
        )}
      </Match>
    </Switch>
  )
}
