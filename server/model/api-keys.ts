// Creates, lists and deletes a user's API keys. `auth/api-keys.ts` checks them.
import { randomUUID } from 'node:crypto'
import type { ApiKey, CreateApiKeyBody, CreatedApiKey } from '../../shared/api-key.ts'
import { API_KEYS_PER_USER } from '../../shared/limits.ts'
import { newApiKey } from '../auth/api-keys.ts'
import type { Sql } from '../database/connect.ts'
import { accessDenied, apiError, notFound } from '../errors.ts'
import { beginFor } from './begin-for.ts'
import { requireWorkspace } from './workspaces.ts'

export function createApiKey(sql: Sql, user_id: string, body: CreateApiKeyBody): Promise<CreatedApiKey> {
  const { name, scope, workspace_id, expires_at } = body
  const { key, key_hash, prefix } = newApiKey()
  return beginFor(sql, user_id, async tx => {
    // The lock serializes a user's creations, so that the count is right.
    await tx`select from users where id = ${user_id} for no key update`
    if (workspace_id !== null) {
      // The lock keeps the workspace, and the person's role there, until the transaction ends.
      await tx`select from workspaces where id = ${workspace_id} for share`
      await requireWorkspace(tx, user_id, workspace_id, 'editor')
    }
    const [kept] = await tx<{ count: number }[]>`
      select count(*)::integer as count from api_keys where user_id = ${user_id}`
    if ((kept?.count ?? 0) >= API_KEYS_PER_USER) throw apiError('api_key_limit')
    const [created] = await tx<Omit<CreatedApiKey, 'key'>[]>`
      insert into api_keys (id, user_id, workspace_id, name, scope, key_hash, prefix, expires_at)
      values (${randomUUID()}, ${user_id}, ${workspace_id}, ${name}, ${scope}, ${key_hash}, ${prefix}, ${expires_at})
      returning id, name, scope, workspace_id, prefix, expires_at, created_at`
    if (!created) throw new Error('an insert returns its row')
    return { ...created, key }
  })
}

export async function listApiKeys(sql: Sql, user_id: string): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    select id, name, scope, workspace_id, prefix, expires_at, last_used_at, created_at
    from api_keys where user_id = ${user_id} order by created_at, id`
}

/** The caller removes the key from the caches of all instances. */
export async function deleteApiKey(sql: Sql, user_id: string, id: string): Promise<void> {
  const [key] = await sql<{ user_id: string }[]>`select user_id from api_keys where id = ${id}`
  if (!key) throw notFound('API key')
  if (key.user_id !== user_id) throw accessDenied()
  await sql`delete from api_keys where id = ${id}`
}
