// What a workspace's page shows, and the messages that keep an open one current: JSON texts from the server,
// on /live/workspaces/{slug}. The client says nothing.
import { z } from 'zod'
import { attributeSetting } from './attributes.ts'
import { listedChannel } from './channel.ts'
import { workspaceHead } from './workspace.ts'

/** A channel as its workspace's page shows it. */
export const shownChannel = listedChannel
  .omit({ workspace_id: true, created_at: true })
  .extend({ attributes: z.record(z.string(), z.string()) })
export type ShownChannel = z.output<typeof shownChannel>

/** What GET /api/workspaces/by-slug/{slug} answers. `can_edit`: the dashboard's controls are offered. */
export const workspacePage = z.object({
  workspace: workspaceHead,
  channels: z.array(shownChannel),
  attribute_settings: z.array(attributeSetting),
  can_edit: z.boolean(),
})
export type WorkspacePage = z.output<typeof workspacePage>

/** `newest_position`: the highest among the channel’s cards; null where it has none. A deleted card is not unread. */
export const channelActivity = z.object({
  newest_position: z.int().min(0).nullable(),
  card_count: z.int().min(0),
})
export type ChannelActivity = z.output<typeof channelActivity>

/**
 * `page`: first of all, and whenever anything but card counts changed. `activity`, by channel id: after the first page
 * all channels of it, then those that changed. `ping`: after 20 s without another message, and to who read too slowly
 * and reads again.
 */
export const workspaceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('page'), page: workspacePage }),
  z.object({ type: z.literal('activity'), channels: z.record(z.string(), channelActivity) }),
  z.object({ type: z.literal('ping') }),
])
export type WorkspaceMessage = z.output<typeof workspaceMessage>
