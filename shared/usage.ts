// How much of the limits a user has used, and what happened on the last days (UTC).
import { z } from 'zod'
import { timestamp, uuid } from './text.ts'

const count = z.int().min(0)

export const meter = z.object({ used: count, limit: count.nullable() })
export type Meter = z.output<typeof meter>

export const usage = z.object({
  cards: meter,
  channels: meter,
  bytes: meter,
  workspaces: meter,
  resets_at: timestamp,
})
export type Usage = z.output<typeof usage>

/** Deleted cards and channels count, webhook tests don’t. Deliveries count on the day they were queued. */
export const usageDay = z.object({
  day: z.iso.date(),
  cards: count,
  channels: count,
  interactions: count,
  delivered: count,
  failed: count,
})
export type UsageDay = z.output<typeof usageDay>

export const usageChannel = z.object({
  id: uuid,
  name: z.string(),
  icon: z.string(),
  interactions: count,
  delivered: count,
  failed: count,
})
export type UsageChannel = z.output<typeof usageChannel>

/** `channels`: those with activity on these days, the busiest first, at most 20. Deleted channels are missing. */
export const usageHistory = z.object({ days: z.array(usageDay), channels: z.array(usageChannel) })
export type UsageHistory = z.output<typeof usageHistory>
