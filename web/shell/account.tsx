// The way in or out, at the end of the top bar. Nothing while it is not known who looks.
import { A, useLocation } from '@solidjs/router'
import { createSignal, Match, Switch } from 'solid-js'
import { Refused, Unreachable } from '../api.ts'
import { countActs } from '../feed/act-words.ts'
import { useOutbox } from '../feed/outbox-context.tsx'
import { ask } from './ask.tsx'
import { signInPath } from './return-path.ts'
import { useSession } from './session.tsx'

export function Account() {
  const { session, leave } = useSession()
  const outbox = useOutbox()
  const location = useLocation()
  const [failed, setFailed] = createSignal(false)
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user : undefined
  }

  /** What waits belongs to whoever signs out, and goes with the rest of the local copy. */
  async function mayDiscard(): Promise<boolean> {
    const count = outbox.waiting()
    if (count === 0) return true
    const wait = count === 1 ? 'has not been sent, and is' : 'have not been sent, and are'
    return ask({
      question: `${countActs(count)} ${wait} discarded when you sign out.`,
      yes: 'Sign out',
      danger: true,
    })
  }

  async function onClick(): Promise<void> {
    if (!(await mayDiscard())) return
    try {
      await leave()
    } catch (error) {
      if (!(error instanceof Unreachable || error instanceof Refused)) throw error
      setFailed(true)
    }
  }

  return (
    <Switch>
      <Match when={session().state === 'signed-out'}>
        <A class="bar-link" href={signInPath(location.pathname)}>
          Sign in
        </A>
      </Match>
      <Match when={user()}>
        {user => (
          <button
            type="button"
            class="bar-link"
            title={failed() ? 'The server cannot be reached' : `Signed in as ${user().email}`}
            onClick={onClick}
          >
            {failed() ? 'Not signed out: try again' : 'Sign out'}
          </button>
        )}
      </Match>
    </Switch>
  )
}
