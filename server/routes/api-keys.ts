// The user's API keys. Mounted at /api/api-keys.
import { Hono } from 'hono'
import { type ApiKey, type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import { requireSession } from '../auth/middleware.ts'
import { notFound } from '../errors.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../model/api-keys.ts'
import type { RouteDeps, SessionEnv } from './deps.ts'
import { asUuid, readBody, readId } from './request.ts'

export function apiKeyRoutes({ sql, sessions, key_ring, publish }: RouteDeps) {
  const routes = new Hono<SessionEnv>()
  routes.use(requireSession({ sessions }))

  routes.post('/', async c => {
    const body = await readBody(c, createApiKeyBody)
    if (body.workspace_id !== null && asUuid(body.workspace_id) === null) throw notFound('Workspace')
    return c.json<CreatedApiKey>(await createApiKey(sql, c.get('user_id'), body), 201)
  })

  routes.get('/', async c => {
    // `last_used_at` is written with a delay.
    await key_ring.flush()
    return c.json<ApiKey[]>(await listApiKeys(sql, c.get('user_id')))
  })

  routes.delete('/:id', async c => {
    const id = readId(c, 'id', 'API key')
    await deleteApiKey(sql, c.get('user_id'), id)
    key_ring.forget(id)
    publish({ kind: 'key_ended', key_id: id })
    return c.body(null, 204)
  })

  return routes
}
