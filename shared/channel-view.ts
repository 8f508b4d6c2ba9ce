// What a viewer's page loads of a channel beside its socket: its head, and single pages.
import { z } from 'zod'
import { placedCard } from './card.ts'
import { channelWithActions } from './channel.ts'
import { person } from './interaction.ts'

export const viewedChannel = channelWithActions.omit({
  webhook_url: true,
  created_at: true,
  updated_at: true,
})
export type ViewedChannel = z.output<typeof viewedChannel>

/** `can_edit`: the dashboard's controls are offered. `you`: the person that the viewer's interactions are shown as. */
export const channelView = z.object({ channel: viewedChannel, can_edit: z.boolean(), you: person })
export type ChannelView = z.output<typeof channelView>

/** One page of a channel, oldest card first; `version` rises with every change to it. */
export const cardPage = z.object({
  page: z.int().min(0),
  version: z.int().min(0),
  cards: z.array(placedCard),
})
export type CardPage = z.output<typeof cardPage>
