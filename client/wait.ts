// Waits until a question ends, through lost connections and restarts of the service.
import type { FullDecision } from '../shared/decision.ts'
import {
  ChannelFeedError,
  DecisionCancelled,
  DecisionExpired,
  NotFoundError,
  StillWaiting,
} from './errors.ts'
import { type Requester, segment } from './requester.ts'
import { backoff, isPassing, pause } from './retry.ts'

/** Proxies often end a response that takes a minute. */
const WAIT_S = 50
/** A question with `abandon: 'cancel'` is closed if its asker stays away for 15 s. */
const PAUSE_MAX_MS = 12_000
/** So long a response may come after its wait, and so late the caller may learn that its own time is over. */
const AFTER_WAIT_MS = 15_000
const LATE_MS = 5_000
/** An instance that stops answers every wait at once; asking it again without a pause would keep it busy. */
const HASTY_MS = 1_000

export type WaitOptions = {
  /** In ms. Without it, the wait ends with the question. */
  timeout?: number
  signal?: AbortSignal
}

/** A decided question. */
export type AskAnswer<Id extends string = string> = {
  /** The id of the pressed button. */
  choice: Id
  /** Whether that is the choice named in `approves`. */
  approved: boolean
  label: string
  comment: string | null
  /** The values of the card's inputs, by block. */
  values: DecidedOutcome['values']
  by: DecidedOutcome['by']
  decided_at: string
  handle: string
  /** The card's page. */
  url: string
  card_id: string | null
  /** The signed decision; null if the service didn't sign it. */
  jws: string | null
  decision: FullDecision
}

type DecidedOutcome = NonNullable<FullDecision['outcome']>

/** Names a question. `handle`: `{channel_id}/{decision_id}`. */
export type QuestionName = { handle: string; path: string }

export function questionName(channel_id: string, decision_id: string): QuestionName {
  return {
    handle: `${channel_id}/${decision_id}`,
    path: `/channels/${segment(channel_id)}/decisions/${segment(decision_id)}`,
  }
}

/**
 * Resolves if the question is decided, and throws in every other case. `exists`: the question was seen before, so a 404
 * means that its channel is deleted.
 */
export async function waitForAnswer(
  requester: Requester,
  name: QuestionName,
  { timeout = Number.POSITIVE_INFINITY, signal }: WaitOptions,
  exists: boolean,
): Promise<AskAnswer> {
  const deadline = performance.now() + timeout
  const left = () => Math.max(0, deadline - performance.now())
  let last: FullDecision | null = null
  let failures = 0
  for (;;) {
    const began = performance.now()
    const wait = Math.min(WAIT_S, Math.floor(left() / 1_000))
    let ms = 0
    try {
      const options = {
        signal,
        retries: 0,
        timeout: Math.min(wait * 1_000 + AFTER_WAIT_MS, left() + LATE_MS),
      }
      last = await requester.request<FullDecision>('GET', `${name.path}?wait=${wait}`, undefined, options)
      if (last.state !== 'waiting') break
      failures = performance.now() - began < HASTY_MS ? failures + 1 : 0
      if (failures > 0) ms = backoff(failures - 1, PAUSE_MAX_MS)
    } catch (error) {
      if (error instanceof NotFoundError && (exists || last))
        throw new DecisionCancelled(name.handle, last, 'deleted')
      if (!isPassing(error)) throw error
      const { retry_after } = error
      ms = retry_after === undefined ? backoff(failures, PAUSE_MAX_MS) : retry_after * 1_000
      failures++
    }
    if (left() === 0) throw new StillWaiting(name.handle, last)
    await pause(Math.min(ms, PAUSE_MAX_MS, left()), signal)
  }
  return answerOf(last, name.handle)
}

/** Throws unless the question is decided. */
export function answerOf(decision: FullDecision, handle: string): AskAnswer {
  const { state, outcome, approves, reason } = decision
  if (state === 'waiting') throw new StillWaiting(handle, decision)
  if (state === 'expired') throw new DecisionExpired(handle, decision)
  if (state === 'cancelled') throw new DecisionCancelled(handle, decision, reason ?? 'withdrawn')
  if (state !== 'decided' || !outcome)
    throw new ChannelFeedError(null, 'The service sent a decision that this client doesn’t know')
  const { button_id, label, comment, values, by, jws } = outcome
  return {
    choice: button_id,
    approved: approves !== null && button_id === approves,
    label,
    comment,
    values,
    by,
    decided_at: decision.ended_at ?? outcome.timestamp,
    handle,
    url: decision.url,
    card_id: decision.card_id,
    // Missing in the answer of a service from before signatures.
    jws: jws ?? null,
    decision,
  }
}
