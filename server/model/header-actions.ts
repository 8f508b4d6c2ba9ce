// Header actions. Their rows and the document's head change in one turn of the channel.
import { randomUUID } from 'node:crypto'
import type {
  CreatedHeaderAction,
  CreateHeaderActionBody,
  HeaderAction,
  PatchHeaderActionBody,
} from '../../shared/header-action.ts'
import { ACTIONS_MAX } from '../../shared/limits.ts'
import type { Transaction } from '../database/connect.ts'
import { badRequest, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { ChannelFacts } from './channels.ts'

export function createAction(
  feeds: Feeds,
  channel: ChannelFacts,
  body: CreateHeaderActionBody,
): Promise<CreatedHeaderAction> {
  return putAction(feeds, channel, randomUUID(), body)
}

/** Creates or replaces the action with this id. Undoing a deletion uses it. */
export async function putAction(
  feeds: Feeds,
  channel: ChannelFacts,
  id: string,
  { label, style, position }: CreateHeaderActionBody,
): Promise<CreatedHeaderAction> {
  const action = { id, label, style, position }
  await changeActions(
    feeds,
    channel,
    actions => {
      const others = actions.filter(other => other.id !== id)
      if (others.length >= ACTIONS_MAX) throw badRequest(`A channel has at most ${ACTIONS_MAX} actions`)
      return inOrder([...others, action])
    },
    async tx => {
      await tx`
        insert into header_actions ${tx({ channel_id: channel.id, ...action })}
        on conflict (channel_id, id) do update
        set label = ${label}, style = ${style}, position = ${position}, number = default`
    },
  )
  return { channel_id: channel.id, ...action }
}

/** Changes the given fields. Of several actions at one position, the one that was moved there last comes last. */
export async function patchAction(
  feeds: Feeds,
  channel: ChannelFacts,
  id: string,
  body: PatchHeaderActionBody,
): Promise<CreatedHeaderAction> {
  let patched: HeaderAction | undefined
  let moved = false
  await changeActions(
    feeds,
    channel,
    actions => {
      const before = actions.find(action => action.id === id)
      if (!before) throw notFound('Action')
      const after = { ...before, ...body }
      patched = after
      moved = after.position !== before.position
      if (!moved) return actions.map(action => (action.id === id ? after : action))
      return inOrder([...actions.filter(action => action.id !== id), after])
    },
    async tx => {
      if (!patched) return
      const { label, style, position } = patched
      await tx`
        update header_actions set label = ${label}, style = ${style}, position = ${position}
          ${moved ? tx`, number = default` : tx``}
        where channel_id = ${channel.id} and id = ${id}`
    },
  )
  if (!patched) throw notFound('Action')
  return { channel_id: channel.id, ...patched }
}

/** Numbers the actions from 0 in the order of `action_ids`, which must name each action once. */
export async function orderActions(
  feeds: Feeds,
  channel: ChannelFacts,
  action_ids: string[],
): Promise<HeaderAction[]> {
  const ids = action_ids.map(id => id.toLowerCase())
  let ordered: HeaderAction[] = []
  await changeActions(
    feeds,
    channel,
    actions => {
      const known = new Map(actions.map(action => [action.id, action]))
      ordered = ids.flatMap((id, position) => {
        const action = known.get(id)
        return action ? [{ ...action, position }] : []
      })
      const each = new Set(ids).size === ids.length && ordered.length === ids.length
      if (!each || ids.length !== actions.length)
        throw badRequest('action_ids must name every action of the channel once')
      return ordered
    },
    async tx => {
      await tx`
        update header_actions set position = given.place - 1
        from unnest(${ids}::uuid[]) with ordinality as given (id, place)
        where channel_id = ${channel.id} and header_actions.id = given.id`
    },
  )
  return ordered
}

export async function deleteAction(feeds: Feeds, channel: ChannelFacts, id: string): Promise<void> {
  await changeActions(
    feeds,
    channel,
    actions => {
      const others = actions.filter(action => action.id !== id)
      if (others.length === actions.length) throw notFound('Action')
      return others
    },
    async tx => {
      await tx`delete from header_actions where channel_id = ${channel.id} and id = ${id}`
    },
  )
}

/** `change` gets the actions as they are in the turn, and runs again if the turn is retried. */
async function changeActions(
  feeds: Feeds,
  channel: ChannelFacts,
  change: (actions: HeaderAction[]) => HeaderAction[],
  also: (tx: Transaction) => Promise<void>,
): Promise<void> {
  await feeds.write(channel.id, {
    mutation: { kind: 'head', change: ({ actions }) => ({ actions: change(actions) }) },
    owner_id: channel.owner_id,
    also,
  })
}

/** By position. The sort is stable, so actions at one position keep their order. */
function inOrder(actions: HeaderAction[]): HeaderAction[] {
  return actions.toSorted((a, b) => a.position - b.position)
}
