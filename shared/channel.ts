// A channel: the bodies of requests and its shapes in responses.
import { z } from 'zod'
import { attributesBody } from './attributes.ts'
import { channelSummary } from './channel-summary.ts'
import { headerAction } from './header-action.ts'
import { REQUIRED } from './invalid.ts'
import { CHANNEL_DESCRIPTION_MAX, CHANNEL_NAME_MAX, URL_MAX } from './limits.ts'
import { emoji, httpUrl, nameText, text, timestamp, uuid } from './text.ts'

export const VISIBILITIES = ['private', 'protected', 'public'] as const
export const DEFAULT_CHANNEL_ICON = '📡'

export const mode = z.enum(['view', 'interactive']).describe('Whether viewers may interact or only watch.')
export type Mode = z.output<typeof mode>

export const visibility = z.enum(VISIBILITIES)
export type Visibility = z.output<typeof visibility>

export const receipts = z
  .enum(['auto', 'on', 'off'])
  .describe('Whether viewers see who pressed which button. `auto`: yes, except in a public workspace.')
export type Receipts = z.output<typeof receipts>

export const showsReceipts = (receipts: Receipts, visibility: Visibility) =>
  receipts === 'on' || (receipts === 'auto' && visibility !== 'public')

const name = nameText(CHANNEL_NAME_MAX)
const description = text(CHANNEL_DESCRIPTION_MAX).nullable()
const webhook_url = httpUrl(URL_MAX).nullable().describe('Receives the channel’s interactions.')

const settings = z.object({ name, description, mode, icon: emoji, webhook_url, receipts })
export const CHANNEL_SETTINGS = Object.keys(settings.shape)

/** Settings that viewers and lists don't get. */
const OWNER_ONLY = { webhook_url: true, receipts: true } as const

export function withoutOwnerOnly<T extends object>(channel: T): Omit<T, keyof typeof OWNER_ONLY> {
  const shown = { ...channel }
  for (const name of Object.keys(OWNER_ONLY)) Reflect.deleteProperty(shown, name)
  return shown
}

/** A setting that isn't given has its default. */
export const createChannelBody = z.object({
  name,
  workspace_id: z.string().min(1, REQUIRED).meta({ format: 'uuid' }),
  description: description.default(null),
  mode: mode.default('view'),
  icon: emoji.default(DEFAULT_CHANNEL_ICON),
  webhook_url: webhook_url.default(null),
  receipts: receipts.default('auto'),
  attributes: attributesBody.optional(),
})
export type CreateChannelBody = z.output<typeof createChannelBody>

export const patchChannelBody = settings.partial()
export type PatchChannelBody = z.output<typeof patchChannelBody>

export const channel = z.object({
  id: uuid,
  ...settings.shape,
  workspace_id: uuid,
  visibility: visibility.describe('The visibility of its workspace.'),
  created_at: timestamp,
  updated_at: timestamp,
})
export type Channel = z.output<typeof channel>

export const channelWithActions = channel.extend({ actions: z.array(headerAction) })
export type ChannelWithActions = z.output<typeof channelWithActions>

/** As viewers get it. */
export const viewedChannel = channelWithActions.omit({ ...OWNER_ONLY, created_at: true, updated_at: true })

/** The part of a channel that every viewer may see. The document's `channel` map has it. */
export const channelHead = settings.omit(OWNER_ONLY).extend({ actions: z.array(headerAction) })
export type ChannelHead = z.output<typeof channelHead>

export const listedChannel = channel
  .omit({ ...OWNER_ONLY, visibility: true, updated_at: true })
  .extend({ card_count: z.int().min(0) })
export type ListedChannel = z.output<typeof listedChannel>

/** In the dashboard's list. */
export const summarizedChannel = listedChannel.extend(channelSummary.required().shape)
export type SummarizedChannel = z.output<typeof summarizedChannel>

export const createdChannel = channel
  .pick({ id: true, name: true, workspace_id: true })
  .extend({ url: z.string() })
export type CreatedChannel = z.output<typeof createdChannel>

export const deletedChannel = z.object({ deleted: z.literal(true) })
export type DeletedChannel = z.output<typeof deletedChannel>
