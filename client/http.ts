// Sends requests with the key and a timeout, and turns failures into errors.
import { ConnectionError, readError } from './errors.ts'

export type Endpoint = {
  /** `https://feed.example.com/api/v1`, or a path of the page's own site. */
  url: string
  headers?: Record<string, string>
  timeout: number
  /** Instead of the global one. */
  fetch?: typeof fetch
  /** Sees every response, also those of errors. */
  onResponse?: (response: Response) => void
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** `signal` replaces the endpoint's timeout. */
type Sent = { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal }

/** Sends `body` as JSON. Throws a `ChannelFeedError` for any response but a success or 304. */
export async function send(
  { url, headers, timeout, fetch: ownFetch = fetch, onResponse }: Endpoint,
  method: Method,
  path: string,
  { body, headers: more, signal = AbortSignal.timeout(timeout) }: Sent = {},
): Promise<Response> {
  const response = await ownFetch(url + path, {
    method,
    headers: { ...headers, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...more },
    body: JSON.stringify(body),
    signal,
  }).catch(connectionLost)
  onResponse?.(response)
  if (response.ok || response.status === 304) return response
  throw await readError(response)
}

/** A truncated body, or a gateway's body that isn't JSON, counts as a lost connection. */
export async function readJson<T>(response: Response): Promise<T> {
  const body = response.status === 204 ? undefined : await response.json().catch(connectionLost)
  return body
}

export function connectionLost(): never {
  throw new ConnectionError()
}
