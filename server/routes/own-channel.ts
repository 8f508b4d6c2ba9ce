// Checks that come first on routes of an owner's channel: it exists, it belongs to the caller, the key may do this.
import type { HttpBindings } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Need, scopeAllows } from '../auth/access.ts'
import type { Key } from '../auth/api-keys.ts'
import { accessDenied, notFound } from '../errors.ts'
import type { ChannelFacts, ChannelRegister } from '../model/channels.ts'
import { asUuid } from './request.ts'

/** A caller is a signed-in user or, in /api/v1, an API key. */
export type CallerVariables = { user_id: string; key?: Key }
export type ChannelVariables = CallerVariables & { channel: ChannelFacts }

export type CallerEnv = { Bindings: HttpBindings; Variables: CallerVariables }
export type ChannelEnv = { Bindings: HttpBindings; Variables: ChannelVariables }

/** `requireKey` or `requireSession`: the dashboard shares routes with /api/v1. */
// biome-ignore lint/suspicious/noExplicitAny: the two leave different variables beside user_id
export type RequireCaller = MiddlewareHandler<any>

export function ownChannel(register: ChannelRegister) {
  return createMiddleware<ChannelEnv>(async (c, next) => {
    const id = asUuid(c.req.param('channelId'))
    if (id === null) throw notFound('Channel')
    const found = register.find(id)
    const channel = found instanceof Promise ? await found : found
    if (!channel) throw notFound('Channel')
    if (channel.owner_id !== c.get('user_id')) throw accessDenied()
    if (isOutside(c.get('key'), channel.workspace_id)) throw accessDenied()
    c.set('channel', channel)
    await next()
  })
}

/** A session may do everything. */
export function requireNeed(need: Need) {
  return createMiddleware<{ Variables: CallerVariables }>(async (c, next) => {
    const key = c.get('key')
    if (key && !scopeAllows(key.scope, need)) throw accessDenied()
    await next()
  })
}

/** True for a key that is confined to another workspace. */
export function isOutside(key: Key | undefined, workspace_id: string): boolean {
  return key !== undefined && key.workspace_id !== null && key.workspace_id !== workspace_id
}
