// Questions that the client asks, for tests that answer them.
import type { AskOptions } from '../../client/ask.ts'
import type { ChannelHandle } from '../../client/channel.ts'
import type { Account } from './account.ts'
import { nextQuestion } from './answering.ts'

/** Asks `Deploy v42?`, and waits until the question is there. */
export async function startAsking(account: Account, feed: ChannelHandle, options: Partial<AskOptions> = {}) {
  const answered = feed.ask({ question: 'Deploy v42?', ...options })
  // It may end before the test looks at it.
  answered.catch(() => {})
  const decision = await nextQuestion(account, feed.id)
  return { feed, answered, decision, handle: `${feed.id}/${decision.id}` }
}

export const cancelledBecause = (reason: string, handle: string) => ({
  name: 'DecisionCancelled',
  reason,
  handle,
  status: null,
  code: 'cancelled',
})
