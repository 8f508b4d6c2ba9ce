// The user's API keys. Mounted at /api/api-keys.
import { Hono } from 'hono'
import { type ApiKey, type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import type { KeyRing } from '../auth/api-keys.ts'
import { requireSession, type SessionVariables } from '../auth/middleware.ts'
import type { Sessions } from '../auth/sessions.ts'
import type { Sql } from '../database/connect.ts'
import { notFound } from '../errors.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../model/api-keys.ts'
import { asUuid, readBody } from './request.ts'

type Deps = {
  sql: Sql
  sessions: Sessions
  key_ring: KeyRing
  /** Makes the other instances forget the key, and closes sockets and event streams opened with it. */
  on_key_deleted: (key_id: string) => void
}

export function apiKeyRoutes({ sql, sessions, key_ring, on_key_deleted }: Deps) {
  const routes = new Hono<{ Variables: SessionVariables }>()
  routes.use(requireSession({ sessions }))

  routes.post('/', async c => {
    const body = await readBody(c, createApiKeyBody)
    if (body.workspace_id !== null && asUuid(body.workspace_id) === null) throw notFound('Workspace')
    return c.json<CreatedApiKey>(await createApiKey(sql, c.get('user_id'), body), 201)
  })

  routes.get('/', async c => {
    // `last_used_at` of a key used a moment ago may still wait to be written.
    await key_ring.flush()
    return c.json<ApiKey[]>(await listApiKeys(sql, c.get('user_id')))
  })

  routes.delete('/:id', async c => {
    const id = asUuid(c.req.param('id'))
    if (id === null) throw notFound('API key')
    await deleteApiKey(sql, c.get('user_id'), id)
    key_ring.forget(id)
    on_key_deleted(id)
    return c.body(null, 204)
  })

  return routes
}
