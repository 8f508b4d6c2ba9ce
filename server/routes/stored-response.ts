// Repeated requests with an Idempotency-Key get the stored first response.
import { IDEMPOTENCY_KEY_MAX } from '../../shared/limits.ts'
import { invalid, notFound } from '../errors.ts'
import { hashBody, type Idempotency, type KeyedRequest } from '../feed/log/idempotency.ts'
import type { StoredResponse } from '../feed/log/stored-responses.ts'
import type { AppContext } from './deps.ts'

/** The headers are not stored: repeated requests get none. */
export type JsonResponse = { status: 200 | 201; body: unknown; headers?: Record<string, string> }

/** Makes the row to store in the commit; undefined for a request without a key. */
type Store = ((response: JsonResponse) => StoredResponse) | undefined

/** Runs `work` once per Idempotency-Key and body. The body has been read. */
export async function respondOnce(
  c: AppContext,
  idempotency: Idempotency,
  work: (store: Store) => Promise<JsonResponse>,
): Promise<Response> {
  const request = keyedRequest(c)
  const store: Store =
    request && (({ status, body }) => ({ ...request, status, response: JSON.stringify(body) }))
  const run = async () => {
    const { status, body, headers = {} } = await work(store)
    for (const [name, value] of Object.entries(headers)) c.header(name, value)
    return { status, response: JSON.stringify(body), replayed: false }
  }
  const { status, response, replayed } = await (request ? idempotency.once(request, run) : run())
  if (replayed) c.header('Idempotent-Replayed', 'true')
  // The card was deleted since.
  if (status === 404) throw notFound('Card')
  return c.body(response, status, { 'Content-Type': 'application/json' })
}

function keyedRequest(c: AppContext): KeyedRequest | undefined {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return undefined
  if (key.length < 1 || key.length > IDEMPOTENCY_KEY_MAX)
    throw invalid('Idempotency-Key', `must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`)
  return {
    user_id: c.get('user_id'),
    method: c.req.method,
    path: normalizedPath(c.req.path),
    key,
    body_hash: hashBody(c.get('body')),
  }
}

/** Ignores escapes and the case of ids, but not the case of a card's key. */
function normalizedPath(path: string): string {
  const decoded = decodeURIComponent(path)
  const [ids = ''] = decoded.split('/by-key/', 1)
  return ids.toLowerCase() + decoded.slice(ids.length)
}
