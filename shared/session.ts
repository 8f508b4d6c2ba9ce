// The open sessions of a user. No response contains a session's token.
import { z } from 'zod'
import { timestamp, uuid } from './text.ts'

/** `current`: the session of the request. `last_used_at` is exact to the hour. */
export const listedSession = z.object({
  id: uuid,
  current: z.boolean(),
  user_agent: z.string().nullable(),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
})
export type ListedSession = z.output<typeof listedSession>

export const endedSessions = z.object({ ended: z.int().min(0) })
export type EndedSessions = z.output<typeof endedSessions>

export const signedOut = z.object({ success: z.literal(true) })
export type SignedOut = z.output<typeof signedOut>
