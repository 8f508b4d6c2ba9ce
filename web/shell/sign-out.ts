// The way out: asks first where acts wait that would be lost, and says where it failed.
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

  /** What waits belongs to whoever signs out, and goes with the rest of the local copy. */
  async function mayDiscard(): Promise<boolean> {
    const count = outbox.waiting()
    if (count === 0) return true
    const wait = count === 1 ? 'has not been sent, and is' : 'have not been sent, and are'
    return ask({
      question: `${countActions(count)} ${wait} discarded when you sign out.`,
      yes: 'Sign out',
      danger: true,
    })
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
