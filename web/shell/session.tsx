// Who is signed in. Unknown while it is asked and while the server cannot be reached.
import { createContext, createSignal, type JSX, onMount, useContext } from 'solid-js'
import * as api from '../api.ts'
import { claim, wipe } from '../feed/local-copy.ts'

export type Session = { state: 'unknown' } | { state: 'signed-out' } | { state: 'signed-in'; user: api.User }

type SessionContextValue = {
  session: () => Session
  /** After a sign-in or a sign-up, and when the user has changed. */
  enter: (user: api.User) => Promise<void>
  /** Ends the session and forgets every local copy. Throws `Unreachable` offline; then nothing has changed. */
  leave: () => Promise<void>
}

const SessionContext = createContext<SessionContextValue>()

export function SessionProvider(props: { children: JSX.Element }): JSX.Element {
  const [session, setSession] = createSignal<Session>({ state: 'unknown' })

  async function enter(user: api.User): Promise<void> {
    await claim(user.id)
    setSession({ state: 'signed-in', user })
  }

  async function ask(): Promise<void> {
    try {
      const user = await api.fetchUser()
      if (user) await enter(user)
      else setSession({ state: 'signed-out' })
    } catch (error) {
      if (!(error instanceof api.Unreachable || error instanceof api.Refused)) throw error
    }
  }

  async function leave(): Promise<void> {
    await api.signOut().catch(error => {
      // It was ended elsewhere: what is kept here goes all the same.
      if (!(error instanceof api.Refused && error.status === 401)) throw error
    })
    await wipe()
    location.assign('/')
  }

  onMount(() => {
    ask()
    window.addEventListener('online', ask)
  })
  return <SessionContext.Provider value={{ session, enter, leave }}>{props.children}</SessionContext.Provider>
}

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a SessionProvider around it')
  return value
}
