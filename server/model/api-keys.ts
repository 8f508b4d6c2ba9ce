// The API keys of a user, as the dashboard makes, lists and deletes them. Checking one is auth/api-keys.ts.
import { randomUUID } from 'node:crypto'
import type { ApiKey, CreateApiKeyBody, CreatedApiKey } from '../../shared/api-key.ts'
import { newApiKey } from '../auth/api-keys.ts'
import type { Sql, Transaction } from '../database/connect.ts'
import { accessDenied, notFound } from '../errors.ts'

/** Throws 404 and 403 for a workspace that is none, or another user's. */
export function createApiKey(sql: Sql, user_id: string, body: CreateApiKeyBody): Promise<CreatedApiKey> {
  const { name, scope, workspace_id, expires_at } = body
  const { key, key_hash, prefix } = newApiKey()
  return sql.begin(async tx => {
    if (workspace_id !== null) await holdOwnWorkspace(tx, user_id, workspace_id)
    const [made] = await tx<Omit<CreatedApiKey, 'key'>[]>`
      insert into api_keys (id, user_id, workspace_id, name, scope, key_hash, prefix, expires_at)
      values (${randomUUID()}, ${user_id}, ${workspace_id}, ${name}, ${scope}, ${key_hash}, ${prefix}, ${expires_at})
      returning id, name, scope, workspace_id, prefix, expires_at, created_at`
    if (!made) throw new Error('an insert returns its row')
    return { ...made, key }
  })
}

/** Until the transaction ends the workspace is not deleted. */
async function holdOwnWorkspace(tx: Transaction, user_id: string, id: string): Promise<void> {
  const [workspace] = await tx<{ user_id: string }[]>`
    select user_id from workspaces where id = ${id} for key share`
  if (!workspace) throw notFound('Workspace')
  if (workspace.user_id !== user_id) throw accessDenied()
}

/** Oldest first. */
export async function listApiKeys(sql: Sql, user_id: string): Promise<ApiKey[]> {
  return await sql<ApiKey[]>`
    select id, name, scope, workspace_id, prefix, expires_at, last_used_at, created_at
    from api_keys where user_id = ${user_id} order by created_at, id`
}

/** Throws 404 and 403. The caller tells the key ring, here and on the other instances. */
export async function deleteApiKey(sql: Sql, user_id: string, id: string): Promise<void> {
  const [key] = await sql<{ user_id: string }[]>`select user_id from api_keys where id = ${id}`
  if (!key) throw notFound('API key')
  if (key.user_id !== user_id) throw accessDenied()
  await sql`delete from api_keys where id = ${id}`
}
