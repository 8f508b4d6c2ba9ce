// Sends a client's requests: to its address, with its key, each attempt in time, and again if that may help.
import { InvalidRequestError, NotFoundError } from './errors.ts'
import { type Endpoint, type Method, readJson, send } from './http.ts'
import { withRetries } from './retry.ts'

const LOCAL = 'http://localhost:3000'
/** Longer timers fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

export type ClientOptions = {
  /** The service's address; empty for the page's own site. Default: `CHANNEL_FEED_URL`, or http://localhost:3000. */
  url?: string
  /** An API key. Default: `CHANNEL_FEED_KEY`. Without one, the browser's session and the dashboard's API are used. */
  key?: string
  /** How often a request that failed is sent again. */
  retries?: number
  /** Per attempt, in ms. */
  timeout?: number
  /** Instead of the global one. */
  fetch?: typeof fetch
}

export type Once = {
  /** Requests with the same key take effect once. */
  idempotency_key?: string
}

export type RequestOptions = Once & {
  signal?: AbortSignal
  /** Per attempt, in ms, instead of the client's. */
  timeout?: number
  /** Sending the request twice does no harm. Known of GET, PUT and DELETE, and of requests with an `idempotency_key`. */
  repeatable?: boolean
  /** Instead of the client's. */
  retries?: number
}

export class Requester {
  readonly #service: Endpoint
  readonly #retries: number
  /** How much the service's clock is ahead of this one, in ms. */
  #ahead = 0

  constructor(options: ClientOptions) {
    const { retries = 3, timeout = 30_000, fetch } = options
    const url = (options.url ?? (fromEnvironment('CHANNEL_FEED_URL') || LOCAL)).replace(/\/$/, '')
    if (url !== '' && !/^(https?:\/)?\//.test(url))
      throw invalidInput('url', 'must be an address such as https://feed.example.com')
    const key = (options.key ?? fromEnvironment('CHANNEL_FEED_KEY'))?.trim()
    const onResponse = ({ headers }: Response) => {
      const date = Date.parse(headers.get('Date') ?? '')
      if (!Number.isNaN(date)) this.#ahead = date - Date.now()
    }
    this.#service = key
      ? { url: `${url}/api/v1`, headers: { Authorization: `Bearer ${key}` }, timeout, fetch, onResponse }
      : { url: `${url}/api`, timeout, fetch, onResponse }
    this.#retries = retries
  }

  /** In ms, by the service's clock as of its last response. */
  now(): number {
    return Date.now() + this.#ahead
  }

  /** Returns the response's JSON. */
  async request<T>(method: Method, path: string, body?: unknown, options: RequestOptions = {}): Promise<T> {
    const { idempotency_key, signal, retries = this.#retries, timeout = this.#service.timeout } = options
    const safe = method === 'GET' || method === 'PUT' || method === 'DELETE'
    const { repeatable = safe || idempotency_key !== undefined } = options
    const headers = idempotency_key === undefined ? undefined : { 'Idempotency-Key': idempotency_key }
    return withRetries(
      earlier =>
        inTime(timeout, signal, async limit => {
          const sent = send(this.#service, method, path, { body, headers, signal: limit })
          return readJson<T>(earlier > 0 && method === 'DELETE' ? await sent.catch(asDeleted) : await sent)
        }),
      { retries, repeatable, signal },
    )
  }

  /** The response as it comes, however long it takes. Only its beginning has the time of a request. */
  open(path: string, headers: Record<string, string>, signal: AbortSignal): Promise<Response> {
    return send(this.#service, 'GET', path, { headers, signal })
  }

  get timeout(): number {
    return this.#service.timeout
  }
}

/** An earlier attempt may have deleted it. */
function asDeleted(error: unknown): Response {
  if (error instanceof NotFoundError) return new Response(null, { status: 204 })
  throw error
}

/** Runs `work` with a signal that ends it after `ms`. If `outer` ends it, this rejects with the reason of `outer`. */
async function inTime<T>(
  ms: number,
  outer: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  outer?.throwIfAborted()
  const controller = new AbortController()
  const stop = () => controller.abort()
  const timer = setTimeout(stop, Math.min(ms, TIMER_MAX_MS))
  outer?.addEventListener('abort', stop)
  try {
    return await work(controller.signal)
  } catch (error) {
    outer?.throwIfAborted()
    throw error
  } finally {
    clearTimeout(timer)
    outer?.removeEventListener('abort', stop)
  }
}

/** Undefined in browsers, which have no environment. */
export function fromEnvironment(name: string): string | undefined {
  const { process }: { process?: { env?: Record<string, string | undefined> } } = globalThis
  return process?.env?.[name]
}

/** The error that the service would return. */
export const invalidInput = (field: string, rule: string) =>
  new InvalidRequestError(400, `${field} ${rule}`, { code: 'field_invalid', field })

/** A step of a path. Neither `.` nor `..` can be one: URLs resolve them, so the request would mean something else. */
export function segment(id: string): string {
  if (id === '' || id === '.' || id === '..') throw invalidInput('id', `must not be "${id}"`)
  return encodeURIComponent(id)
}

/** `?limit=5`; empty without values. */
export function query(values: Record<string, string | number | undefined>): string {
  const params = new URLSearchParams()
  for (const [name, value] of Object.entries(values)) if (value !== undefined) params.set(name, `${value}`)
  return params.size > 0 ? `?${params}` : ''
}
