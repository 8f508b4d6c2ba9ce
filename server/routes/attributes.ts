// Channel attributes, for automations (/api/v1) and for the dashboard (/api).
import { Hono } from 'hono'
import { attributesBody } from '../../shared/attributes.ts'
import type { Sql } from '../database/connect.ts'
import { putAttributes, readAttributes } from '../model/attributes.ts'
import type { ChannelRegister } from '../model/channels.ts'
import { type ChannelEnv, ownChannel, type RequireCaller, requireNeed } from './own-channel.ts'
import { readBody } from './request.ts'

export type AttributeDeps = { sql: Sql; register: ChannelRegister; now: () => number }

const ATTRIBUTES = '/channels/:channelId/attributes'

export function attributeRoutes(caller: RequireCaller, { sql, register, now }: AttributeDeps) {
  const routes = new Hono<ChannelEnv>()
  const own = ownChannel(register)

  routes.get(ATTRIBUTES, caller, own, async c => c.json(await readAttributes(sql, c.get('channel').id)))

  routes.put(ATTRIBUTES, caller, own, requireNeed('write'), async c => {
    const given = await readBody(c, attributesBody)
    return c.json(await putAttributes(sql, c.get('channel').id, given, now()))
  })

  return routes
}
