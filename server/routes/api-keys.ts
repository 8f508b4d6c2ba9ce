// The user's API keys.

import { type ApiKey, type CreatedApiKey, createApiKeyBody } from '../../shared/api-key.ts'
import { normalUuid } from '../../shared/text.ts'
import { notFound } from '../errors.ts'
import { createApiKey, deleteApiKey, listApiKeys } from '../model/api-keys.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { readBody, readId } from './request.ts'

export function addApiKeyRoutes(routes: Routes, { sql, caller, key_ring, publish }: RouteDeps) {
  routes.use('/api-keys/*', caller)

  routes.post('/api-keys', async c => {
    const body = await readBody(c, createApiKeyBody)
    if (body.workspace_id !== null && normalUuid(body.workspace_id) === null) throw notFound('Workspace')
    return c.json<CreatedApiKey>(await createApiKey(sql, c.get('user_id'), body), 201)
  })

  routes.get('/api-keys', async c => {
    // `last_used_at` is written with a delay.
    await key_ring.flush()
    return c.json<ApiKey[]>(await listApiKeys(sql, c.get('user_id')))
  })

  routes.delete('/api-keys/:id', async c => {
    const id = readId(c, 'id', 'API key')
    await deleteApiKey(sql, c.get('user_id'), id)
    key_ring.forget(id)
    publish({ kind: 'key_ended', key_id: id })
    return c.body(null, 204)
  })
}
