// A `fetch` that calls the app in this process, so that tools use the API like any other client: access, quotas and
// messages have one implementation.
import { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpBindings } from '@hono/node-server'
import type { Routes } from './deps.ts'
import { LATER } from './late-response.ts'

/**
 * Calls `app` on behalf of the request of `outer`: from its network address, and until its response ends. What routes count
 * as unread counts until then, because the outer response holds it. A call whose `signal` aborts leaves like a client.
 */
export function createInProcessFetch(app: Pick<Routes, 'fetch'>, outer: HttpBindings): typeof fetch {
  const calls = new Set<InnerResponse>()
  outer.outgoing.once('close', () => {
    for (const call of calls) call.leave()
  })
  return async (input, { signal, ...init } = {}) => {
    signal?.throwIfAborted()
    const request = new Request(input, init)
    const incoming = new InnerRequest(outer.incoming, request, await bodyOf(request))
    const outgoing = new InnerResponse(incoming)
    calls.add(outgoing)
    const leave = () => outgoing.leave(signal?.reason)
    signal?.addEventListener('abort', leave, { once: true })
    if (outer.outgoing.destroyed) leave()
    try {
      return await Promise.race([outgoing.late, respond(app, request, { incoming, outgoing })])
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}

/** Never resolves if the route answers later. */
async function respond(app: Pick<Routes, 'fetch'>, request: Request, inner: HttpBindings): Promise<Response> {
  const response = await app.fetch(request, inner)
  return response === LATER ? new Promise(() => {}) : response
}

const bodyOf = async (request: Request) =>
  request.body === null ? null : new Uint8Array(await request.arrayBuffer())

/** Routes read bodies, headers and the address from Node's request. */
class InnerRequest extends IncomingMessage {
  override complete = true

  constructor(outer: IncomingMessage, { method, url, headers }: Request, body: Uint8Array | null) {
    super(outer.socket)
    const { pathname, search } = new URL(url)
    this.method = method
    this.url = pathname + search
    this.headers = {
      ...Object.fromEntries(headers),
      'x-forwarded-for': outer.headers['x-forwarded-for'],
    }
    if (body) this.push(body)
    this.push(null)
  }

  /** The body is here already. Node's would read from the outer request's socket. */
  override _read(): void {}

  /** Node's would close the outer request's socket. */
  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    done(error)
  }
}

/** Gets what is written after the route has returned, and tells the route when the caller has left. */
class InnerResponse extends ServerResponse {
  readonly late: Promise<Response>
  #resolve: (response: Response) => void = () => {}
  #reject: (reason: unknown) => void = () => {}

  constructor(incoming: IncomingMessage) {
    super(incoming)
    this.late = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  leave(reason: unknown = new DOMException('The caller has left', 'AbortError')): void {
    if (this.destroyed) return
    this.destroyed = true
    this.#reject(reason)
    this.emit('close')
  }

  override writeHead(status: number, ...[headers]: unknown[]): this {
    this.statusCode = status
    if (typeof headers === 'object' && headers !== null)
      for (const [name, value] of Object.entries(headers)) this.setHeader(name, String(value))
    return this
  }

  override end(...[body]: unknown[]): this {
    const headers = Object.entries(this.getHeaders()).map(([name, value]): [string, string] => [
      name,
      String(value),
    ])
    this.#resolve(new Response(String(body), { status: this.statusCode, headers }))
    return this
  }
}
