// The first checks on routes of an owner's channel: it exists, it belongs to the caller, and the key allows the request.
import { createMiddleware } from 'hono/factory'
import { mayRun } from '../auth/access.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { ChannelRegister } from '../model/channels.ts'
import type { AppEnv } from './deps.ts'
import { readId } from './request.ts'

export function ownChannel(register: ChannelRegister) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const found = register.find(readId(c, 'channelId', 'Channel'))
    const channel = found instanceof Promise ? await found : found
    if (!channel) throw notFound('Channel')
    if (!mayRun(channel, c.get('user_id'), c.get('key'))) throw accessDenied()
    c.set('channel', channel)
    await next()
  })
}
