// Answers a request once: with an Idempotency-Key the first answer is kept and repeated.
import type { Context } from 'hono'
import { IDEMPOTENCY_KEY_MAX } from '../../shared/limits.ts'
import { badRequest } from '../errors.ts'
import { hashBody, type Idempotency, type KeyedRequest } from '../feed/idempotency.ts'
import type { StoredResponse } from '../feed/stored-responses.ts'

/** What a request does: its status, its body, and header fields that are not part of what is kept. */
export type Reply = { status: 200 | 201; body: unknown; headers?: Record<string, string> }

/** Turns what was done into the answer to keep, inside the commit; absent for a request without a key. */
export type Keep = ((reply: Reply) => StoredResponse) | undefined

// biome-ignore lint/suspicious/noExplicitAny: any context will do
type AnyContext = Context<any>

export async function answerOnce(
  c: AnyContext,
  idempotency: Idempotency,
  user_id: string,
  bytes: Uint8Array,
  work: (keep: Keep) => Promise<Reply>,
): Promise<Response> {
  const key = c.req.header('Idempotency-Key')
  if (key === undefined) return send(c, await work(undefined))
  if (key.length < 1 || key.length > IDEMPOTENCY_KEY_MAX) {
    throw badRequest(`Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_MAX} characters`)
  }
  const request: KeyedRequest = {
    user_id,
    method: c.req.method,
    path: addressOf(c.req.path),
    key,
    body_hash: hashBody(bytes),
  }
  const keep = ({ status, body }: Reply) => ({ ...request, status, response: JSON.stringify(body) })
  const answer = await idempotency.once(request, async () => {
    const reply = await work(keep)
    for (const [name, value] of Object.entries(reply.headers ?? {})) c.header(name, value)
    return { status: reply.status, response: JSON.stringify(reply.body) }
  })
  if (answer.replayed) c.header('Idempotent-Replayed', 'true')
  return c.body(answer.response, answer.status === 201 ? 201 : 200, { 'Content-Type': 'application/json' })
}

/** One address, however it was written: neither escapes nor the case of ids make another request of it. */
function addressOf(path: string): string {
  const decoded = decodeURIComponent(path)
  const key = decoded.indexOf('/by-key/')
  if (key < 0) return decoded.toLowerCase()
  return decoded.slice(0, key).toLowerCase() + decoded.slice(key)
}

function send(c: AnyContext, { status, body, headers }: Reply): Response {
  return c.body(JSON.stringify(body), status, { 'Content-Type': 'application/json', ...headers })
}
