// Signs out. Asks first if unsent interactions would be lost.
import { createSignal } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { useOutbox } from '../data/outbox/outbox.ts'
import { useSession } from '../data/session.tsx'
import { countOf } from '../lib/format.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'

/** `to`: the path that opens afterwards. */
export function createSignOut(to = '/') {
  const { leave } = useSession()
  const outbox = useOutbox()
  const [failed, setFailed] = createSignal(false)

  async function signOut(): Promise<void> {
    const unsent = outbox.waiting()
    const question = `Sign out and delete ${countOf(unsent, 'unsent interaction', 'unsent interactions')}?`
    if (unsent > 0 && !(await requestConfirmation({ question, yes: 'Sign out', danger: true }))) return
    try {
      await leave(to)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      setFailed(true)
    }
  }

  return { signOut, failed }
}
