// Whether a viewer may see a channel, decided by cookies alone: no session is needed for public and unlocked channels.
import type { Context } from 'hono'
import type { Viewer } from '../auth/access.ts'
import { letIn } from '../auth/let-in.ts'
import { notFound } from '../errors.ts'
import { readAccess } from '../model/workspaces.ts'
import type { RouteDeps, ViewerEnv } from './deps.ts'
import { asUuid } from './request.ts'

/** `can_edit`: the viewer owns the channel's workspace. */
export type ViewedChannel = { channel_id: string; identity: Viewer; can_edit: boolean }

/** Throws 404, 401 or 403 if the viewer may not see the channel in the path. */
export async function viewedChannel(
  c: Context<ViewerEnv>,
  { sql, identify }: Pick<RouteDeps, 'sql' | 'identify'>,
): Promise<ViewedChannel> {
  const channel_id = asUuid(c.req.param('channelId'))
  const access = channel_id === null ? null : await readAccess(sql, { channel_id })
  if (channel_id === null || !access) throw notFound('Channel')
  const identity = await identify.byCookies(c.req.header('Cookie'))
  return { channel_id, identity, ...letIn(access, identity) }
}
