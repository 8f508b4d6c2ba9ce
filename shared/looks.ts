// Whether the agents that asked a channel's waiting questions look at them: what its page shows beside each.
import { z } from 'zod'
import { timestamp, uuid } from './text.ts'

/** By decision, of the newest 200 that were ever looked at. `waiting`: an agent waits for the answer right now. */
export const channelLooks = z.object({
  looks: z.record(uuid, z.object({ waiting: z.boolean(), looked_at: timestamp })),
})
export type ChannelLooks = z.output<typeof channelLooks>
