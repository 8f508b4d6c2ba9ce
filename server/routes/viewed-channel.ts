// Identifies a viewer by cookies and asks access.ts whether they may see the channel.
import { authorize, userOf } from '../auth/access.ts'
import { notFound } from '../errors.ts'
import { readAccess } from '../model/workspaces.ts'
import type { AppContext, RouteDeps } from './deps.ts'
import { readId } from './request.ts'

/** Throws 404, 401 or 403 if the viewer may not see the channel. */
export async function readViewedChannel(
  c: AppContext,
  { sql, identify }: Pick<RouteDeps, 'sql' | 'identify'>,
) {
  const channel_id = readId(c, 'channelId', 'Channel')
  const identity = await identify.byCookies(c.req.header('Cookie'))
  const access = await readAccess(sql, { channel_id }, userOf(identity))
  if (!access) throw notFound('Channel')
  return { channel_id, owner_id: access.owner_id, identity, ...authorize(access, identity) }
}
