// The `idempotency_keys` table: responses to requests with an Idempotency-Key, stored for a day.
import type { AnySql, Transaction } from '../../database/connect.ts'
import { notFound } from '../../errors.ts'

export type StoredResponse = {
  user_id: string
  method: string
  path: string
  key: string
  body_hash: string
  status: 200 | 201 | 404
  response: string
}

/** Another instance stored a response under this key while this instance worked on the request. */
export class KeyTaken extends Error {
  override name = 'KeyTaken'
}

export const lifetime = (sql: AnySql) => sql`interval '24 hours'`

export function insertResponses(sql: AnySql, responses: StoredResponse[]) {
  return sql`
    insert into idempotency_keys as stored (user_id, method, path, key, body_hash, status, response)
    select user_id, method, path, key, decode(body_hash, 'hex'), status, response
    from json_to_recordset(${JSON.stringify(responses)}::text::json) as r(
      user_id uuid, method text, path text, key text, body_hash text, status integer, response text)
    on conflict (user_id, method, path, key) do update
      set body_hash = excluded.body_hash, status = excluded.status, response = excluded.response, created_at = now()
      where stored.created_at < now() - ${lifetime(sql)}
    returning key`
}

export async function storeResponse(tx: Transaction, response: StoredResponse): Promise<void> {
  const stored = await insertResponses(tx, [response])
  if (stored.length === 0) throw new KeyTaken()
}

/** Takes the place of a response that showed a card. Without it, a repeated request would take effect again. */
const GONE = { status: 404 as const, response: JSON.stringify(notFound('Card').body) }
/** 201 has no text of the card. */
const SHOWS_CARD = 200

/** Replaces responses to the owner and the editors that show a deleted card. `path`: of a request about the card. */
export function forgetResponsesTo(
  sql: AnySql,
  paths: { owner_id: string; channel_id: string; path: string }[],
) {
  return sql`
    update idempotency_keys i set status = ${GONE.status}, response = ${GONE.response}
    from json_to_recordset(${JSON.stringify(paths)}::text::json) as p(owner_id uuid, channel_id uuid, path text),
      lateral (
        select p.owner_id as user_id union all
        select m.user_id from channels c join workspace_members m on m.workspace_id = c.workspace_id
        where c.id = p.channel_id and m.role = 'editor'
      ) as runner
    where i.user_id = runner.user_id and i.method in ('PATCH', 'PUT') and i.path = p.path and i.status = ${SHOWS_CARD}
    returning 1`
}

/** The same for a response that is stored by the commit that deletes the card. */
export const forgetCard = (response: StoredResponse): StoredResponse =>
  response.status === SHOWS_CARD ? { ...response, ...GONE } : response

export async function deleteResponsesBelow(tx: Transaction, user_ids: string[], channel_ids: string[]) {
  const below = channel_ids.flatMap(id => [`/api/channels/${id}/%`, `/api/v1/channels/${id}/%`])
  await tx`
    delete from idempotency_keys where user_id = any(${user_ids}::uuid[]) and lower(path) like any(${below}::text[])`
}
