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
import { ApiError, invalid, notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { ChannelFacts } from './channels.ts'

export const tooManyHeaderActions = () =>
  new ApiError('header_action_limit', `A channel has at most ${ACTIONS_MAX} actions`)

/** Replaces the action with this id, or creates it. Undoing a deletion uses the id again. */
export async function putAction(
  feeds: Feeds,
  channel: ChannelFacts,
  { label, style, position }: CreateHeaderActionBody,
  id: string = randomUUID(),
): Promise<CreatedHeaderAction> {
  await changeActions(feeds, channel, actions => {
    const others = actions.filter(other => other.id !== id)
    if (others.length >= ACTIONS_MAX) throw tooManyHeaderActions()
    return inOrder([...others, { id, label, style, position }])
  })
  return { id, channel_id: channel.id, label, style, position }
}

/** Of several actions at one position, the one that was moved there last comes last. */
export async function patchAction(
  feeds: Feeds,
  channel: ChannelFacts,
  id: string,
  body: PatchHeaderActionBody,
): Promise<CreatedHeaderAction> {
  const changed = await changeActions(feeds, channel, actions => {
    const before = findAction(actions, id)
    const after = { ...before, ...body }
    if (after.position === before.position) return actions.map(action => (action === before ? after : action))
    return inOrder([...actions.filter(action => action !== before), after])
  })
  return { channel_id: channel.id, ...findAction(changed, id) }
}

/** Numbers the actions from 0 in the order of `action_ids`, which must name each action once. */
export function orderActions(
  feeds: Feeds,
  channel: ChannelFacts,
  action_ids: string[],
): Promise<HeaderAction[]> {
  const ids = action_ids.map(id => id.toLowerCase())
  return changeActions(feeds, channel, actions => {
    const known = new Map(actions.map(action => [action.id, action]))
    const ordered = [...new Set(ids)].flatMap((id, position) => {
      const action = known.get(id)
      return action ? [{ ...action, position }] : []
    })
    if (ordered.length !== ids.length || ids.length !== actions.length)
      throw invalid('action_ids', 'must name every action of the channel once')
    return ordered
  })
}

export async function deleteAction(feeds: Feeds, channel: ChannelFacts, id: string): Promise<void> {
  await changeActions(feeds, channel, actions => {
    const deleted = findAction(actions, id)
    return actions.filter(action => action !== deleted)
  })
}

/** Returns the changed actions. A turn that is retried calls `change` again. */
async function changeActions(
  feeds: Feeds,
  { id: channel_id, owner_id }: ChannelFacts,
  change: (actions: HeaderAction[]) => HeaderAction[],
): Promise<HeaderAction[]> {
  let changed: HeaderAction[] = []
  await feeds.get(channel_id).writer.write({
    mutation: {
      kind: 'head',
      change: ({ actions }) => {
        changed = change(actions)
        return { actions: changed }
      },
    },
    owner_id,
    also: async tx => void (await storeActions(tx, channel_id, changed)),
  })
  return changed
}

/** New numbers keep the order of actions at one position. */
async function storeActions(tx: Transaction, channel_id: string, actions: HeaderAction[]): Promise<void> {
  const ids = actions.map(({ id }) => id)
  await tx`delete from header_actions where channel_id = ${channel_id} and id <> all(${ids}::uuid[])`
  if (actions.length === 0) return
  await tx`
    insert into header_actions ${tx(actions.map(action => ({ channel_id, ...action })))}
    on conflict (channel_id, id) do update
    set label = excluded.label, style = excluded.style, position = excluded.position, number = default`
}

function findAction(actions: HeaderAction[], id: string): HeaderAction {
  const found = actions.find(action => action.id === id)
  if (!found) throw notFound('Action')
  return found
}

/** The sort is stable, so actions at one position keep their order. */
const inOrder = (actions: HeaderAction[]) => actions.toSorted((a, b) => a.position - b.position)
