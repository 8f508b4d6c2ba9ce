// Header actions, for automations (/api/v1) and for the dashboard (/api), which alone deletes them.
import { Hono } from 'hono'
import { createHeaderActionBody } from '../../shared/header-action.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import { type ChannelRegister, listActions } from '../model/channels.ts'
import { createAction, deleteAction } from '../model/header-actions.ts'
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

export function deleteActionRoute(caller: RequireCaller, { register, feeds }: HeaderActionDeps) {
  const routes = new Hono<ChannelEnv>()
  routes.delete(`${ACTIONS}/:actionId`, caller, ownChannel(register), async c => {
    const id = asUuid(c.req.param('actionId'))
    if (id === null) throw notFound('Action')
    await deleteAction(feeds, c.get('channel'), id)
    return c.body(null, 204)
  })
  return routes
}
