// The newest cards of a channel, which a page shows before the whole document has arrived.
import { z } from 'zod'
import { placedCard } from './card.ts'
import { channelHead } from './channel.ts'

export const firstCards = z.object({
  head: channelHead,
  pages: z.array(z.object({ page: z.int().min(0), cards: z.array(placedCard) })),
})
export type FirstCards = z.output<typeof firstCards>
