// Channel attributes, for automations (/api/v1) and for the dashboard (/api).
import { Hono } from 'hono'
import { attributesBody } from '../../shared/attributes.ts'
import type { Sql } from '../database/connect.ts'
import { putAttributes, readAttributes } from '../model/attributes.ts'
import type { ChannelRegister } from '../model/channels.ts'
import { type ChannelEnv, ownChannel, type RequireCaller, requireNeed } from './own-channel.ts'
import { readBody } from './request.ts'

export type AttributeDeps = {
  sql: Sql
  register: ChannelRegister
  now: () => number
  on_workspace_touched: (workspace_id: string) => void
}

const ATTRIBUTES = '/channels/:channelId/attributes'

export function attributeRoutes(caller: RequireCaller, deps: AttributeDeps) {
  const { sql, register, now } = deps
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  routes.get(ATTRIBUTES, caller, own, async c => c.json(await readAttributes(sql, c.get('channel').id)))

  routes.put(ATTRIBUTES, caller, own, requireNeed('write'), async c => {
    const given = await readBody(c, attributesBody)
    const attributes = await putAttributes(sql, c.get('channel').id, given, now())
    deps.on_workspace_touched(c.get('channel').workspace_id)
    return c.json(attributes)
  })

  return routes
}
