// The browser's session: the user who is signed in. Unknown until the server has answered.
import { createContext, createSignal, type JSX, onMount, useContext } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { User } from '../../shared/user.ts'
import { fetchUser, signOut } from './client.ts'
import { claim, dropOwned, wipe } from './local-copy/drop.ts'

export type Session = { state: 'unknown' } | { state: 'signed-out' } | { state: 'signed-in'; user: User }

type SessionContextValue = {
  session: () => Session
  /** The session is unknown because the server can't be reached. The check repeats until it can. */
  unreachable: () => boolean
  /** Call after signing in or up, and after changing the user. */
  enter: (user: User) => Promise<void>
  /** Ends the session and deletes every local copy. Without a connection it throws and changes nothing. */
  leave: () => Promise<void>
}

const CHECK_AGAIN_MS = 4_000

const SessionContext = createContext<SessionContextValue>()

export function SessionProvider(props: { children: JSX.Element }): JSX.Element {
  const [session, setSession] = createSignal<Session>({ state: 'unknown' })
  const [unreachable, setUnreachable] = createSignal(false)
  /** How often `enter` ran. */
  let entered = 0

  async function enter(user: User): Promise<void> {
    entered++
    await claim(user.id)
    setSession({ state: 'signed-in', user })
  }

  async function check(): Promise<void> {
    const before = entered
    try {
      const user = await fetchUser()
      setUnreachable(false)
      // Somebody signed in meanwhile: this result is out of date.
      if (entered !== before) return
      if (user) return await enter(user)
      await dropOwned()
      if (entered === before) setSession({ state: 'signed-out' })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (session().state !== 'unknown') return
      setUnreachable(true)
      // Offline, the `online` event starts the next check.
      if (navigator.onLine) setTimeout(check, CHECK_AGAIN_MS)
    }
  }

  async function leave(): Promise<void> {
    await signOut().catch(error => {
      // The session has ended elsewhere. The local copies must still go.
      if (!(error instanceof ChannelFeedError && error.status === 401)) throw error
    })
    await wipe()
    location.assign('/')
  }

  onMount(() => {
    check()
    window.addEventListener('online', check)
  })
  return (
    <SessionContext.Provider value={{ session, unreachable, enter, leave }}>
      {props.children}
    </SessionContext.Provider>
  )
}

export function useSession(): SessionContextValue {
  const value = useContext(SessionContext)
  if (!value) throw new Error('useSession needs a SessionProvider around it')
  return value
}
