// Unlocking a protected workspace with its password.
import { z } from 'zod'
import { REQUIRED } from './invalid.ts'

/** Names the workspace by its id, by a channel in it or by a slug. The first given field counts. */
export const unlockBody = z.object({
  workspace_id: z.string().optional(),
  channel_id: z.string().optional(),
  slug: z.string().optional(),
  password: z.string().min(1, REQUIRED),
})
export type UnlockBody = z.output<typeof unlockBody>

export const unlocked = z.object({ unlocked: z.literal(true), workspace_id: z.string() })
export type Unlocked = z.output<typeof unlocked>
