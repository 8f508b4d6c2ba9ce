// A workspace's page, and the JSON messages that update it on the socket /live/workspaces/{slug}. The client sends none.
import { z } from 'zod'
import { attributeSetting } from './attributes.ts'
import { listedChannel } from './channel.ts'
import { channelSummary } from './channel-summary.ts'
import { viewRight } from './view-right.ts'
import { workspaceHead } from './workspace.ts'

export const pageChannel = listedChannel
  .omit({ workspace_id: true, created_at: true })
  .extend({ attributes: z.record(z.string(), z.string()), ...channelSummary.shape })
export type PageChannel = z.output<typeof pageChannel>

/** The response to GET /api/workspaces/by-slug/{slug}. */
export const viewedWorkspace = z.object({
  workspace: workspaceHead,
  channels: z.array(pageChannel),
  attribute_settings: z.array(attributeSetting),
  ...viewRight.shape,
})
export type ViewedWorkspace = z.output<typeof viewedWorkspace>

/** `newest_position`: of the cards that exist; null if there are none. */
export const channelActivity = z.object({
  newest_position: z.int().min(0).nullable(),
  card_count: z.int().min(0),
  ...channelSummary.shape,
})
export type ChannelActivity = z.output<typeof channelActivity>

export const workspaceMessage = z.discriminatedUnion('type', [
  /** Comes first, and again after any change that is not activity. */
  z.object({ type: z.literal('page'), page: viewedWorkspace }),
  /** By channel id: first all channels, then those that changed. */
  z.object({ type: z.literal('activity'), channels: z.record(z.string(), channelActivity) }),
  /** After 20 s without a message, and when a slow client has caught up. */
  z.object({ type: z.literal('ping') }),
])
export type WorkspaceMessage = z.output<typeof workspaceMessage>
