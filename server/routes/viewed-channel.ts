// Whether a viewer may see a channel, decided by cookies alone: no session is needed for public and unlocked channels.
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { authorize, type Identity } from '../auth/access.ts'
import type { Identify } from '../auth/identify.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { readAccess } from '../model/workspaces.ts'
import { asUuid } from './request.ts'

export type ViewerEnv = { Bindings: HttpBindings }
/** `can_edit`: the viewer owns the channel's workspace. */
export type ViewedChannel = { channel_id: string; identity: Identity; can_edit: boolean }

/** Throws 404, 401 or 403 if the viewer may not see the channel in the path. */
export async function viewedChannel(
  c: Context<ViewerEnv>,
  { sql, identify }: { sql: Sql; identify: Identify },
): Promise<ViewedChannel> {
  const channel_id = asUuid(c.req.param('channelId'))
  const access = channel_id === null ? null : await readAccess(sql, { channel_id })
  if (channel_id === null || !access) throw notFound('Channel')
  const identity = await identify.byCookies(c.req.header('Cookie'))
  return { channel_id, identity, ...authorize(access, identity) }
}
