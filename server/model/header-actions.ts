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

/** Replaces the action with this id, or creates it. Undoing a deletion uses the id again. */
export async function putAction(
  feeds: Feeds,
  channel: ChannelFacts,
  body: CreateHeaderActionBody,
  id: string = randomUUID(),
): Promise<CreatedHeaderAction> {
  const { label, style, position } = body
  const action = { id, label, style, position }
  await changeActions(
    feeds,
    channel,
    actions => {
      const others = actions.filter(other => other.id !== id)
      if (others.length >= ACTIONS_MAX) throw badRequest(`A channel has at most ${ACTIONS_MAX} actions`)
      return inOrder([...others, action])
    },
    tx => tx`
      insert into header_actions ${tx({ channel_id: channel.id, ...action })}
      on conflict (channel_id, id) do update
      set label = ${label}, style = ${style}, position = ${position}, number = default`,
  )
  return { id, channel_id: channel.id, label, style, position }
}

/** Of several actions at one position, the one that was moved there last comes last. */
export async function patchAction(
  feeds: Feeds,
  channel: ChannelFacts,
  id: string,
  body: PatchHeaderActionBody,
): Promise<CreatedHeaderAction> {
  let moved = false
  const find = (actions: HeaderAction[]) => {
    const found = actions.find(action => action.id === id)
    if (!found) throw notFound('Action')
    return found
  }
  const changed = await changeActions(
    feeds,
    channel,
    actions => {
      const before = find(actions)
      const after = { ...before, ...body }
      moved = after.position !== before.position
      if (!moved) return actions.map(action => (action === before ? after : action))
      return inOrder([...actions.filter(action => action !== before), after])
    },
    (tx, actions) => {
      const { label, style, position } = find(actions)
      return tx`
        update header_actions set label = ${label}, style = ${style}, position = ${position}
          ${moved ? tx`, number = default` : tx``}
        where channel_id = ${channel.id} and id = ${id}`
    },
  )
  return { channel_id: channel.id, ...find(changed) }
}

/** Numbers the actions from 0 in the order of `action_ids`, which must name each action once. */
export function orderActions(
  feeds: Feeds,
  channel: ChannelFacts,
  action_ids: string[],
): Promise<HeaderAction[]> {
  const ids = action_ids.map(id => id.toLowerCase())
  return changeActions(
    feeds,
    channel,
    actions => {
      const known = new Map(actions.map(action => [action.id, action]))
      const ordered = [...new Set(ids)].flatMap((id, position) => {
        const action = known.get(id)
        return action ? [{ ...action, position }] : []
      })
      if (ordered.length !== ids.length || ids.length !== actions.length)
        throw badRequest('action_ids must name every action of the channel once')
      return ordered
    },
    tx => tx`
      update header_actions set position = given.place - 1
      from unnest(${ids}::uuid[]) with ordinality as given (id, place)
      where channel_id = ${channel.id} and header_actions.id = given.id`,
  )
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
    tx => tx`delete from header_actions where channel_id = ${channel.id} and id = ${id}`,
  )
}

/** Returns the changed actions. A turn that is retried calls `change` and `store` again. */
async function changeActions(
  feeds: Feeds,
  { id, owner_id }: ChannelFacts,
  change: (actions: HeaderAction[]) => HeaderAction[],
  store: (tx: Transaction, changed: HeaderAction[]) => Promise<unknown>,
): Promise<HeaderAction[]> {
  let changed: HeaderAction[] = []
  await feeds.write(id, {
    mutation: {
      kind: 'head',
      change: ({ actions }) => {
        changed = change(actions)
        return { actions: changed }
      },
    },
    owner_id,
    also: async tx => {
      await store(tx, changed)
    },
  })
  return changed
}

/** The sort is stable, so actions at one position keep their order. */
const inOrder = (actions: HeaderAction[]) => actions.toSorted((a, b) => a.position - b.position)
