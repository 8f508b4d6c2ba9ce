// A response that is written long after its route has returned. Hono, its context and its middleware are gone by then: they
// would keep ten times the memory of the wait itself.
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Logger } from 'pino'
import { asApiError } from '../errors.ts'
import type { Metrics } from '../metrics.ts'
import { CORS } from './cors.ts'

/** What a route returns if a `LateResponse` follows. */
export const LATER = RESPONSE_ALREADY_SENT

export type LateDeps = {
  log: Logger
  metrics: Pick<Metrics, 'requests'>
  /** Connections end with their next response. */
  http: { readonly draining: boolean }
}

export class LateResponse {
  readonly #response: ServerResponse
  readonly #public: boolean
  readonly #deps: LateDeps

  /** `public`: any page may read it. */
  constructor(response: ServerResponse, is_public: boolean, deps: LateDeps) {
    this.#response = response
    this.#public = is_public
    this.#deps = deps
  }

  send(status: number, body: object, headers: Record<string, string> = {}): void {
    const { metrics, http } = this.#deps
    metrics.requests.inc({ method: 'GET', status })
    this.#response.writeHead(status, {
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      ...(this.#public && CORS),
      ...(http.draining && { Connection: 'close' }),
      ...headers,
    })
    this.#response.end(JSON.stringify(body))
  }

  refuse(error: unknown): void {
    const { code, status, body, headers } = asApiError(error)
    if (code === 'internal_error') this.#deps.log.error({ err: error }, 'a waiting request failed')
    this.send(status, body, headers)
  }
}
