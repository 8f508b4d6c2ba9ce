// The newest cards of a channel, enough for a screen: a page shows them before the whole document has arrived.
import { z } from 'zod'
import { placedCard } from './card.ts'
import { channelHead } from './channel.ts'

/** Newest page first and newest card first, by the page of the document that they are on. */
export const firstCards = z.object({
  head: channelHead,
  pages: z.array(z.object({ page: z.int().min(0), cards: z.array(placedCard) })),
})
export type FirstCards = z.output<typeof firstCards>
