// Header actions: rows, and their place in the document's head.
import { randomUUID } from 'node:crypto'
import type { CreatedHeaderAction, CreateHeaderActionBody, HeaderAction } from '../../shared/header-action.ts'
import { ACTIONS_MAX } from '../../shared/limits.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { ChannelFacts } from './channels.ts'

export async function createAction(
  feeds: Feeds,
  { id: channel_id, owner_id }: ChannelFacts,
  { label, style, position }: CreateHeaderActionBody,
): Promise<CreatedHeaderAction> {
  const id = randomUUID()
  await feeds.write(channel_id, {
    write: {
      kind: 'head',
      change: ({ actions }) => {
        if (actions.length >= ACTIONS_MAX) throw badRequest(`A channel has at most ${ACTIONS_MAX} actions`)
        return { actions: inOrder([...actions, { id, label, style, position }]) }
      },
    },
    owner_id,
    also: async tx => {
      await tx`insert into header_actions ${tx({ channel_id, id, label, style, position })}`
    },
  })
  return { id, channel_id, label, style, position }
}

export async function deleteAction(feeds: Feeds, channel: ChannelFacts, id: string | null): Promise<void> {
  await feeds.write(channel.id, {
    write: {
      kind: 'head',
      change: ({ actions }) => {
        const others = actions.filter(action => action.id !== id)
        if (others.length === actions.length) throw notFound('Action')
        return { actions: others }
      },
    },
    owner_id: channel.owner_id,
    also: async tx => {
      await tx`delete from header_actions where channel_id = ${channel.id} and id = ${id}`
    },
  })
}

/** By position; of one position in the order of creation. */
function inOrder(actions: HeaderAction[]): HeaderAction[] {
  return actions.toSorted((a, b) => a.position - b.position)
}
