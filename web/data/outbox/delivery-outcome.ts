// Follows the deliveries of interactions, and sends them again if the channel's owner asks.
import { ChannelFeedError } from '../../../client/errors.ts'
import type { DeliveryStatus } from '../../../shared/delivery.ts'
import { failureOf } from '../../lib/error-text.ts'
import { patience } from '../../lib/patience.ts'
import { delayFor } from '../../lib/reconnect.ts'
import { fetchDeliveryStatus, redeliver } from '../viewer-requests.ts'
import { afterError, type InteractionProgress, type LocalInteraction } from './interaction.ts'

/** A delivery takes up to 10 s, and waits for the channel's earlier deliveries. */
const TIMEOUT_MS = 60_000

type Ids = Pick<LocalInteraction, 'interaction_id' | 'channel_id'>

export function makeDeliveries(
  setProgress: (interactionId: string, progress: InteractionProgress) => Promise<void>,
) {
  const following = new Set<string>()

  /** Every tab follows, because the tab that sent may be closed. */
  async function follow({ interaction_id, channel_id }: Ids): Promise<void> {
    if (following.has(interaction_id)) return
    following.add(interaction_id)
    const progress = await waitForOutcome(channel_id, interaction_id)
    following.delete(interaction_id)
    await setProgress(interaction_id, progress)
  }

  async function retry({ interaction_id, channel_id }: Ids): Promise<void> {
    try {
      await redeliver(channel_id, interaction_id)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      return setProgress(interaction_id, { state: 'failed', failure: failureOf(error) })
    }
    await setProgress(interaction_id, { state: 'sent', awaiting: true })
  }

  /** The owner may have sent it again, from the log or another device. `shown`: as the page has it now. */
  async function recheck({ interaction_id, channel_id }: Ids, shown: () => InteractionProgress | undefined) {
    try {
      const before = JSON.stringify(shown())
      const status = await fetchDeliveryStatus(channel_id, interaction_id)
      const progress = progressOf(status) ?? { state: 'sent', awaiting: true }
      // The viewer may have dismissed it meanwhile.
      if (JSON.stringify(shown()) !== before || JSON.stringify(progress) === before) return
      await setProgress(interaction_id, progress)
    } catch (error) {
      // Without an answer, the last known outcome stays.
      if (!(error instanceof ChannelFeedError)) throw error
    }
  }

  return { follow, retry, recheck }
}

/** Undefined while it is under way. */
function progressOf({ status, error }: DeliveryStatus): InteractionProgress | undefined {
  switch (status) {
    case 'success':
      return { state: 'delivered' }
    case 'failed':
      return { state: 'failed', delivery: error ?? '' }
    case 'held':
      return { state: 'held' }
    case 'none':
      return { state: 'sent', awaiting: false }
    case 'pending':
      return undefined
  }
}

async function waitForOutcome(channelId: string, interactionId: string): Promise<InteractionProgress> {
  const end = Date.now() + TIMEOUT_MS
  for (let tries = 0; Date.now() < end; tries++) {
    const progress = progressOf(await fetchDeliveryStatus(channelId, interactionId).catch(statusAfter))
    if (progress) return progress
    await patience(delayFor(tries, 0.5))
  }
  return { state: 'sent', awaiting: false }
}

/** Errors that will pass count as pending; without access the outcome counts as none. */
function statusAfter(error: unknown): DeliveryStatus {
  if (!(error instanceof ChannelFeedError)) throw error
  const { next } = afterError(error)
  return { status: next === 'retry' || next === 'pause' ? 'pending' : 'none', error: null }
}
