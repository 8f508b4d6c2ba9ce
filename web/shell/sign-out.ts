// Signing out: asks first if unsent interactions would be lost, and reports a failure.
import { createSignal } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { countActions } from '../data/outbox/interaction-text.ts'
import { useOutbox } from '../data/outbox/outbox-context.tsx'
import { useSession } from '../data/session.tsx'
import { ask } from '../ui/ask.tsx'

export function createSignOut() {
  const { leave } = useSession()
  const outbox = useOutbox()
  const [failed, setFailed] = createSignal(false)

  /** Unsent interactions belong to the user and are deleted with the local copies. */
  async function mayDiscard(): Promise<boolean> {
    const count = outbox.waiting()
    if (count === 0) return true
    const question = `Sign out and discard ${countActions(count)} not sent yet?`
    return ask({ question, yes: 'Sign out', danger: true })
  }

  async function signOut(): Promise<void> {
    if (!(await mayDiscard())) return
    try {
      await leave()
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      setFailed(true)
    }
  }

  return { signOut, failed }
}
