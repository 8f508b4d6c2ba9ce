// Sends requests to the page's own site with the browser's session, and turns failures into errors.
import { ConnectionError, readError } from './errors.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Requests with the same key take effect once. */
export type Once = { idempotency_key?: string }

const TIMEOUT_MS = 15_000

/** Sends `body` as JSON. Throws a `ChannelFeedError` for any response but a success or 304. */
export async function send(
  method: Method,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<Response> {
  const response = await fetch(`/api${path}`, {
    method,
    headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch(connectionLost)
  if (response.ok || response.status === 304) return response
  throw await readError(response)
}

/** Like `send`, and returns the response's body. */
export async function request<T>(
  method: Method,
  path: string,
  body?: unknown,
  { idempotency_key }: Once = {},
): Promise<T> {
  const headers = idempotency_key ? { 'Idempotency-Key': idempotency_key } : undefined
  return readJson(await send(method, path, body, headers))
}

/** A truncated body, or a gateway's body that isn't JSON, counts as a lost connection. */
export async function readJson<T>(response: Response): Promise<T> {
  const body = response.status === 204 ? undefined : await response.json().catch(connectionLost)
  return body
}

export function connectionLost(): never {
  throw new ConnectionError()
}
