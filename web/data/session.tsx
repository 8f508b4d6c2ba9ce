// The browser's session: the user who is signed in. Unknown until the server responds.
import { createSignal, onMount, type ParentProps } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { User } from '../../shared/user.ts'
import { painted } from '../lib/painted.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import { dropSeenByRole, recordUser, wipe } from './local-copy/drop.ts'
import { fetchUser, signOut } from './viewer-requests.ts'

export type SessionState = { state: 'unknown' } | { state: 'signed-out' } | { state: 'signed-in'; user: User }

export const [SessionContext, useSession] = createRequiredContext<{
  session: () => SessionState
  user: () => User | undefined
  /** The session is unknown because the server can't be reached. The check repeats until it can. */
  unreachable: () => boolean
  enter: (user: User) => Promise<void>
  /** Ends the session, deletes every local copy and opens `to`. Without a connection it throws and changes nothing. */
  leave: (to: string) => Promise<void>
}>('SessionContext')

const CHECK_AGAIN_MS = 4_000

export function SessionProvider(props: ParentProps) {
  const [session, setSession] = createSignal<SessionState>({ state: 'unknown' })
  const [unreachable, setUnreachable] = createSignal(false)
  let enterCount = 0
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user : undefined
  }

  async function enter(user: User): Promise<void> {
    enterCount++
    await recordUser(user.id)
    setSession({ state: 'signed-in', user })
  }

  async function check(): Promise<void> {
    const before = enterCount
    try {
      const user = await fetchUser()
      setUnreachable(false)
      // After a sign-in meanwhile, this result is out of date.
      if (enterCount !== before) return
      if (user) return await enter(user)
      await dropSeenByRole()
      if (enterCount === before) setSession({ state: 'signed-out' })
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (session().state !== 'unknown') return
      setUnreachable(true)
      if (navigator.onLine) setTimeout(check, CHECK_AGAIN_MS)
    }
  }

  async function leave(to: string): Promise<void> {
    await signOut().catch(error => {
      // The session has ended elsewhere. The local copies must still go.
      if (!(error instanceof ChannelFeedError && error.status === 401)) throw error
    })
    await wipe()
    location.assign(to)
  }

  onMount(() => {
    // A channel's first cards don't need the session.
    painted().then(check)
    window.addEventListener('online', check)
  })
  return (
    <SessionContext.Provider value={{ session, user, unreachable, enter, leave }}>
      {props.children}
    </SessionContext.Provider>
  )
}
