// Authenticates requests by session or API key. Both set `user_id`, or throw 401.
import { createMiddleware } from 'hono/factory'
import { bearerKey, type KeyRing } from '../auth/api-keys.ts'
import type { Sessions } from '../auth/sessions.ts'
import { unauthorized } from '../errors.ts'
import type { AppEnv } from './deps.ts'

export function requireSession(sessions: Sessions) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const session = await sessions.find(c.req.header('Cookie'))
    if (!session) throw unauthorized()
    c.set('user', session.user)
    c.set('user_id', session.user.id)
    c.set('session_id', session.id)
    await next()
  })
}

/** Checks that the key is valid. Routes check its scope after the ids in the path, see `serve`. */
export function requireKey(keyRing: KeyRing) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const presented = bearerKey(c.req.header('Authorization'))
    const found = presented === null ? null : keyRing.check(presented)
    // Not awaited if cached: an `await` would cost every request a microtask turn.
    const key = found instanceof Promise ? await found : found
    if (!key) throw unauthorized()
    c.set('key', key)
    c.set('user_id', key.user_id)
    await next()
  })
}
