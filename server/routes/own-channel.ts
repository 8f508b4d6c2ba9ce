// The first checks on routes of an owner's channel: it exists, it belongs to the caller, and the key allows the request.
import { createMiddleware } from 'hono/factory'
import type { Key } from '../auth/api-keys.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { ChannelRegister } from '../model/channels.ts'
import type { AppEnv } from './deps.ts'
import { readId } from './request.ts'

export function ownChannel(register: ChannelRegister) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const found = register.find(readId(c, 'channelId', 'Channel'))
    const channel = found instanceof Promise ? await found : found
    if (!channel) throw notFound('Channel')
    if (channel.owner_id !== c.get('user_id') || isOutside(c.get('key'), channel.workspace_id))
      throw accessDenied()
    c.set('channel', channel)
    await next()
  })
}

export function isOutside(key: Key | undefined, workspace_id: string): boolean {
  return (key?.workspace_id ?? workspace_id) !== workspace_id
}
