// What lists of channels show of each channel: its newest card, its open questions, and how its webhook is doing.
import { z } from 'zod'
import { cardStatus } from './card.ts'
import { timestamp, uuid } from './text.ts'

const count = z.int().min(0)

export const lastCard = z.object({
  id: uuid,
  status: cardStatus,
  text: z.string().describe('The first text that the card shows, shortened.'),
  created_at: timestamp,
})
export type LastCard = z.output<typeof lastCard>

/** `of` counts the newest deliveries that ended, `failed` those of them that failed. */
export const webhookHealth = z.object({ failed: count, of: count })
export type WebhookHealth = z.output<typeof webhookHealth>

/**
 * `waiting`: decisions. `needs_you`: those of them that the viewer may decide; copies of earlier versions have none. Without a
 * `webhook_url`, `webhook` is null; only owner and editors get it.
 */
export const channelSummary = z.object({
  last_card: lastCard.nullable(),
  waiting: count,
  needs_you: count,
  webhook: webhookHealth.nullable().optional(),
})
export type ChannelSummary = z.output<typeof channelSummary>
