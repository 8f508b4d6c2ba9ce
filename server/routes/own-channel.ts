// The first checks on routes of those who run a channel: it exists, the caller is its owner or an editor, and the key
// reaches it.
import { createMiddleware } from 'hono/factory'
import { mayRun } from '../auth/access.ts'
import type { Roles } from '../auth/roles.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { ChannelRegister } from '../model/channels.ts'
import type { AppContext, AppEnv } from './deps.ts'
import { readId } from './request.ts'

/** `idOf`: where the request names the channel. */
export function ownChannel(register: ChannelRegister, roles: Roles, idOf = idInPath) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const id = idOf(c)
    const found = register.find(id instanceof Promise ? await id : id)
    const channel = found instanceof Promise ? await found : found
    if (!channel) throw notFound('Channel')
    const { workspace_id, owner_id } = channel
    const user_id = c.get('user_id')
    const role = owner_id === user_id ? 'owner' : roles.find(workspace_id, user_id)
    if (!mayRun(workspace_id, role instanceof Promise ? await role : role, c.get('key'))) throw accessDenied()
    c.set('channel', channel)
    await next()
  })
}

function idInPath(c: AppContext): string | Promise<string> {
  return readId(c, 'channelId', 'Channel')
}
