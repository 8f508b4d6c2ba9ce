// The owner's log of a channel: interactions and tests, newest first, with their deliveries.
import { z } from 'zod'
import { delivery } from './delivery.ts'
import { LOGGED_TYPES, listedInteraction, loggedPerson, webhookTrigger } from './interaction.ts'
import { user } from './user.ts'

export const LOG_TYPES = [...LOGGED_TYPES, 'test'] as const

/** `user`: null without a role in the workspace, and for anonymous interactions. Newest delivery first. */
export const loggedInteraction = listedInteraction.extend({
  trigger: webhookTrigger,
  user: user.nullable(),
  by: loggedPerson,
  deliveries: z.array(delivery),
})
export type LoggedInteraction = z.output<typeof loggedInteraction>

export const interactionLog = z.object({
  interactions: z.array(loggedInteraction),
  next_cursor: z.string().nullable(),
})
export type InteractionLog = z.output<typeof interactionLog>
