// How long a call waits for an answer, and what it reports meanwhile.
import type { ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { DecisionCancelled, QuestionError } from '../errors.ts'
import type { AskAnswer, WaitOptions } from '../wait.ts'
import type { ToolContext } from './context.ts'
import type { KnownQuestion } from './decision-result.ts'

const WAIT_MAX_S = 300
const WAIT_S = 45
const PROGRESS_S = 10

export const waitInput = z
  .int()
  .min(0)
  .max(WAIT_MAX_S)
  .default(WAIT_S)
  .describe(
    `Seconds to wait for the answer. The question stays open afterwards. At most ${WAIT_S} without a progressToken.`,
  )

type Waiting = {
  /** Resolves if the question is decided. */
  answer: (context: WaitOptions) => Promise<AskAnswer>
  /** Undefined until the question is asked. */
  handle: () => string | undefined
}

/** Waits until the question ends, the time is over, or the call is stopped. Rejects if the caller has left. */
export async function waitForEnd(
  { client, stop }: ToolContext,
  { mcpReq }: ServerContext,
  wait: number,
  { answer, handle }: Waiting,
): Promise<KnownQuestion> {
  const { signal: left } = mcpReq
  const token = mcpReq._meta?.progressToken
  // Hosts that hear nothing often end a call after a minute.
  const seconds = token === undefined ? Math.min(wait, WAIT_S) : wait
  const endProgress = reportProgress(mcpReq, seconds)
  try {
    const signal = stop ? AbortSignal.any([left, stop]) : left
    const { decision } = await answer({ timeout: seconds * 1_000, signal })
    return { decision, state: decision.state }
  } catch (error) {
    const asked = handle()
    const decision = error instanceof QuestionError ? error.decision : null
    // Of a question whose channel is deleted, the last known state was `waiting`.
    if (decision)
      return { decision, state: error instanceof DecisionCancelled ? 'cancelled' : decision.state }
    if (left.aborted || !stop?.aborted || asked === undefined) throw error
    const last = await client.decision(asked).get()
    return { decision: last, state: last.state }
  } finally {
    endProgress()
  }
}

function reportProgress({ _meta, notify }: ServerContext['mcpReq'], total: number): () => void {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return () => {}
  let progress = 0
  const timer = setInterval(() => {
    progress += PROGRESS_S
    // The caller may have left.
    notify({ method: 'notifications/progress', params: { progressToken, progress, total } }).catch(() => {})
  }, PROGRESS_S * 1_000)
  return () => clearInterval(timer)
}
