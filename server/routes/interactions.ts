// What people did in a channel, for automations without a public address.
import { Hono } from 'hono'
import type { Sql } from '../database/connect.ts'
import type { ChannelRegister } from '../model/channels.ts'
import { listInteractions } from '../model/interactions.ts'
import { type ChannelEnv, ownChannel, type RequireCaller } from './own-channel.ts'
import { readCursor, readLimit, writeCursor } from './request.ts'

export function interactionListRoute(
  caller: RequireCaller,
  { sql, register }: { sql: Sql; register: ChannelRegister },
) {
  const routes = new Hono<ChannelEnv>()
  routes.get('/channels/:channelId/interactions', caller, ownChannel(register), async c => {
    const { interactions, next } = await listInteractions(
      sql,
      c.get('channel').id,
      readLimit(c),
      readCursor(c),
    )
    return c.json({ interactions, next_cursor: next === null ? null : writeCursor(next) })
  })
  return routes
}
