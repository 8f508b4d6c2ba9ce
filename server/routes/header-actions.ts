// Header actions, for automations (/api/v1) and for the dashboard (/api), which alone changes and deletes them.
import { Hono } from 'hono'
import {
  createHeaderActionBody,
  orderActionsBody,
  patchHeaderActionBody,
} from '../../shared/header-action.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { type ChannelRegister, listActions } from '../model/channels.ts'
import { createAction, deleteAction, orderActions, patchAction, putAction } from '../model/header-actions.ts'
import { type ChannelEnv, ownChannel, type RequireCaller, requireNeed } from './own-channel.ts'
import { asUuid, readBody } from './request.ts'

export type HeaderActionDeps = { sql: Sql; register: ChannelRegister; feeds: Feeds }

const ACTIONS = '/channels/:channelId/actions'

export function headerActionRoutes(caller: RequireCaller, { sql, register, feeds }: HeaderActionDeps) {
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  routes.get(ACTIONS, caller, own, async c => c.json(await listActions(sql, c.get('channel').id)))

  routes.post(ACTIONS, caller, own, requireNeed('write'), async c => {
    const body = await readBody(c, createHeaderActionBody)
    const { id, channel_id, ...action } = await createAction(feeds, c.get('channel'), body)
    return c.json({ id, channel_id, ...action }, 201)
  })

  return routes
}

/** What the dashboard alone does with them. */
export function ownActionRoutes(caller: RequireCaller, { register, feeds }: HeaderActionDeps) {
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  routes.put(`${ACTIONS}/order`, caller, own, async c => {
    const { action_ids } = await readBody(c, orderActionsBody)
    return c.json(await orderActions(feeds, c.get('channel'), action_ids))
  })

  routes.put(`${ACTIONS}/:actionId`, caller, own, async c => {
    const id = readActionId(c.req.param('actionId'))
    return c.json(await putAction(feeds, c.get('channel'), id, await readBody(c, createHeaderActionBody)))
  })

  routes.patch(`${ACTIONS}/:actionId`, caller, own, async c => {
    const id = readActionId(c.req.param('actionId'))
    return c.json(await patchAction(feeds, c.get('channel'), id, await readBody(c, patchHeaderActionBody)))
  })

  routes.delete(`${ACTIONS}/:actionId`, caller, own, async c => {
    await deleteAction(feeds, c.get('channel'), readActionId(c.req.param('actionId')))
    return c.body(null, 204)
  })

  return routes
}

function readActionId(given: string): string {
  const id = asUuid(given)
  if (id === null) throw notFound('Action')
  return id
}
