// The responses that a channel's page loads over HTTP: the channel, and pages of cards.
import { z } from 'zod'
import { placedCard } from './card.ts'
import { viewedChannel } from './channel.ts'
import { person } from './interaction.ts'
import { uuid } from './text.ts'
import { viewRight } from './view-right.ts'
import { namedWorkspace } from './workspace.ts'

/**
 * `workspace`: the channel's, which has the same viewers. `you`: how others see the viewer's interactions. `may_decide`: the
 * waiting decisions that list the viewer, newest first, at most 200. `chosen`, for people with a role: the names of the
 * people that these decisions list, for the newest 200 of all.
 */
export const channelView = z.object({
  channel: viewedChannel,
  workspace: namedWorkspace,
  ...viewRight.shape,
  you: person,
  may_decide: z.array(uuid),
  chosen: z.record(uuid, z.array(z.string())).optional(),
})
export type ChannelView = z.output<typeof channelView>

const count = z.int().min(0)
/** Oldest card first. `version` rises with every change to the page. */
export const cardPage = z.object({ page: count, version: count, cards: z.array(placedCard) })
export type CardPage = z.output<typeof cardPage>

/** The cards with waiting decisions that the viewer may decide, newest first: how many there are, and at most 50 of them. */
export const waitingCards = z.object({ total: count, cards: z.array(placedCard) })
export type WaitingCards = z.output<typeof waitingCards>
