// Who is signed in. Unknown while it is asked and while the server cannot be reached.
import { createContext, createSignal, type JSX, onMount, useContext } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { User } from '../../shared/user.ts'
import { fetchUser, signOut } from './client.ts'
import { claim, dropOwned, wipe } from './local-copy/drop.ts'

export type Session = { state: 'unknown' } | { state: 'signed-out' } | { state: 'signed-in'; user: User }

type SessionContextValue = {
  session: () => Session
  /** Nobody could say yet who is signed in: it is asked again and again. */
  away: () => boolean
  /** After a sign-in or a sign-up, and when the user has changed. */
  enter: (user: User) => Promise<void>
  /** Ends the session and forgets every local copy. Throws a `ConnectionError` offline; then nothing has changed. */
  leave: () => Promise<void>
}

const ASK_AGAIN_MS = 4_000

const SessionContext = createContext<SessionContextValue>()

export function SessionProvider(props: { children: JSX.Element }): JSX.Element {
  const [session, setSession] = createSignal<Session>({ state: 'unknown' })
  const [away, setAway] = createSignal(false)
  /** How often it was found who is signed in. */
  let entered = 0

  async function enter(user: User): Promise<void> {
    entered++
    await claim(user.id)
    setSession({ state: 'signed-in', user })
  }

  async function ask(): Promise<void> {
    const before = entered
    try {
      const user = await fetchUser()
      setAway(false)
      // An answer from before a sign-in is old.
      if (entered !== before) return
      if (user) return await enter(user)
      await dropOwned()
      if (entered === before) setSession({ state: 'signed-out' })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (session().state !== 'unknown') return
      setAway(true)
      // Without a network there is nothing to ask; its return is told.
      if (navigator.onLine) setTimeout(ask, ASK_AGAIN_MS)
    }
  }

  async function leave(): Promise<void> {
    await signOut().catch(error => {
      // It was ended elsewhere: what is kept here goes all the same.
      if (!(error instanceof ChannelFeedError && error.status === 401)) throw error
    })
    await wipe()
    location.assign('/')
  }

  onMount(() => {
    ask()
    window.addEventListener('online', ask)
  })
  return (
    <SessionContext.Provider value={{ session, away, enter, leave }}>
      {props.children}
    </SessionContext.Provider>
  )
}

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a SessionProvider around it')
  return value
}
