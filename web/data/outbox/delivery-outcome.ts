// Asks the server how a webhook's delivery went.
import { ChannelFeedError } from '../../../client/errors.ts'
import type { DeliveryStatus } from '../../../shared/delivery.ts'
import { delayFor } from '../../lib/reconnect.ts'
import { fetchDeliveryStatus } from '../client.ts'
import { afterError, type Progress } from './interaction.ts'

/** A delivery takes up to 10 s, and earlier ones of the channel go first. After this time we stop asking. */
const TIMEOUT_MS = 60_000

/** Asks until the outcome is known. */
export async function waitForOutcome(channelId: string, interactionId: string): Promise<Progress> {
  const end = Date.now() + TIMEOUT_MS
  for (let tries = 0; Date.now() < end; tries++) {
    const { status, error } = await fetchDeliveryStatus(channelId, interactionId).catch(answerForError)
    if (status === 'success') return { state: 'delivered' }
    if (status === 'failed') return { state: 'failed', reason: error ?? 'no reason was given' }
    if (status === 'held') return { state: 'held' }
    if (status === 'none') return { state: 'sent', awaiting: false }
    await new Promise(resolve => setTimeout(resolve, delayFor(tries, 0.5)))
  }
  return { state: 'sent', awaiting: false }
}

/** Errors that will pass count as pending; without access the outcome counts as none. */
function answerForError(error: unknown): DeliveryStatus {
  if (!(error instanceof ChannelFeedError)) throw error
  const { next } = afterError(error)
  return { status: next === 'retry' || next === 'pause' ? 'pending' : 'none', error: null }
}
