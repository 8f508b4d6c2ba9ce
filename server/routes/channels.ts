// Channels, for automations (/api/v1, by key) and for the dashboard (/api, by session).
import { Hono } from 'hono'
import { createChannelBody, patchChannelBody } from '../../shared/channel.ts'
import { parse } from '../../shared/invalid.ts'
import type { Sql } from '../database/connect.ts'
import { accessDenied, badRequest } from '../errors.ts'
import type { Feeds } from '../feed/feeds.ts'
import type { Idempotency } from '../feed/idempotency.ts'
import {
  type ChannelRegister,
  createChannel,
  deleteChannel,
  getChannel,
  listChannels,
  patchChannel,
} from '../model/channels.ts'
import { ownWorkspace } from '../model/workspaces.ts'
import { rateLimitHeaders } from '../rate-limit.ts'
import { answerOnce } from './idempotent.ts'
import {
  type CallerEnv,
  type ChannelEnv,
  isOutside,
  ownChannel,
  type RequireCaller,
  requireNeed,
} from './own-channel.ts'
import { asUuid, readBody, readJson } from './request.ts'

export type ChannelDeps = {
  sql: Sql
  register: ChannelRegister
  feeds: Feeds
  idempotency: Idempotency
  daily_channel_limit: number | null
  now: () => number
  on_workspace_touched: (workspace_id: string) => void
  /** Viewers are to be told, on every instance. */
  on_channel_deleted: (channel_id: string) => void
}

export function channelRoutes(caller: RequireCaller, deps: ChannelDeps) {
  const { sql, register, idempotency, daily_channel_limit, now } = deps
  const routes = new Hono<CallerEnv & ChannelEnv>()
  const own = ownChannel(register)

  routes.get('/channels', caller, async c => {
    const id = c.req.query('workspace_id')
    if (id === undefined || id === '') throw badRequest('workspace_id is required')
    const workspace = await ownWorkspace(sql, c.get('user_id'), asUuid(id))
    if (isOutside(c.get('key'), workspace.id)) throw accessDenied()
    return c.json(await listChannels(sql, workspace.id))
  })

  routes.post('/channels', caller, requireNeed('full'), async c => {
    const { bytes, value } = await readJson(c)
    const body = parse(createChannelBody, value)
    const workspace = await ownWorkspace(sql, c.get('user_id'), asUuid(body.workspace_id))
    if (isOutside(c.get('key'), workspace.id)) throw accessDenied()
    return answerOnce(c, idempotency, c.get('user_id'), bytes, async keep => {
      const { remaining, ...channel } = await createChannel(
        sql,
        c.get('user_id'),
        { ...body, workspace_id: workspace.id },
        daily_channel_limit,
        now(),
        created => keep?.({ status: 201, body: created }),
      )
      deps.on_workspace_touched(workspace.id)
      return {
        status: 201,
        body: channel,
        headers: rateLimitHeaders('channels', daily_channel_limit, remaining, now()),
      }
    })
  })

  routes.get('/channels/:channelId', caller, own, async c => {
    return c.json(await getChannel(sql, c.get('channel').id))
  })

  routes.patch('/channels/:channelId', caller, own, requireNeed('full'), async c => {
    const body = await readBody(c, patchChannelBody)
    const patched = await patchChannel(sql, deps.feeds, c.get('channel'), body, now())
    deps.on_workspace_touched(c.get('channel').workspace_id)
    return c.json(patched)
  })

  routes.delete('/channels/:channelId', caller, own, requireNeed('full'), async c => {
    const { id } = c.get('channel')
    await deleteChannel(sql, deps.feeds, c.get('channel'))
    deps.on_channel_deleted(id)
    return c.json({ deleted: true })
  })

  return routes
}
