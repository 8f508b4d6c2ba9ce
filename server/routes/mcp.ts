// The Model Context Protocol over HTTP. Each request is served by itself, so any instance may answer it.
import type { MiddlewareHandler } from 'hono'
import { BODY_MAX_BYTES } from '../../shared/limits.ts'
import { bearerKey } from '../auth/api-keys.ts'
import { isOwnOrigin } from '../auth/origin.ts'
import { accessDenied, unauthorized } from '../errors.ts'
import { version } from '../project.ts'
import { requireKey } from './callers.ts'
import type { AppContext, AppEnv, RouteDeps, Routes } from './deps.ts'
import { createInProcessFetch } from './in-process.ts'

/** Hosts and proxies end a stream that is silent for longer. */
const KEEP_ALIVE_MS = 15_000
const FIRST_BYTES = new TextEncoder().encode(': open\n\n')

type McpDeps = Pick<RouteDeps, 'key_ring' | 'public_url' | 'calls' | 'log'>

/** `app`: the whole API, which the tools call. */
export function addMcpRoute(app: Routes, deps: McpDeps): void {
  const { key_ring, public_url } = deps
  app.all('/mcp', checkOrigin(public_url), challenge, requireKey(key_ring), async c => {
    const response = await answer(app, c, deps)
    if (response.status === 405) response.headers.set('Allow', 'POST')
    return response.headers.get('Content-Type') === 'text/event-stream' ? openStream(response) : response
  })
}

const checkOrigin =
  (public_url: string): MiddlewareHandler<AppEnv> =>
  (c, next) => {
    // Without `host`: it may be another site's name whose address is ours.
    const { origin } = c.env.incoming.headers
    if (!isOwnOrigin({ origin }, public_url)) throw accessDenied()
    return next()
  }

const challenge: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next()
  if (c.res.status === 401) c.res.headers.set('WWW-Authenticate', 'Bearer')
}

async function answer(
  app: Routes,
  c: AppContext,
  { public_url: url, calls, log }: McpDeps,
): Promise<Response> {
  // Loaded with the first request: they take 10 MB, and a tenth of a second of the start.
  const { createMcpHandler } = await import('@modelcontextprotocol/server')
  const { createTools } = await import('../../client/mcp/tools.ts')
  const key = c.get('key')
  if (!key) throw unauthorized()
  const bearer = bearerKey(c.req.header('Authorization')) ?? ''
  const stop = calls.add(key, c.env.outgoing)
  const handler = createMcpHandler(
    () =>
      createTools({
        service: { url, key: bearer, fetch: createInProcessFetch(app, c.env) },
        channel: c.req.query('channel'),
        version,
        stop,
        failed: error => log.error({ err: error }, 'a tool failed'),
      }),
    {
      legacy: 'stateless',
      responseMode: 'sse',
      keepAliveMs: KEEP_ALIVE_MS,
      maxRequestBodySize: BODY_MAX_BYTES,
      onerror: error => log.debug({ err: error }, 'a request of the Model Context Protocol was refused'),
    },
  )
  return handler.fetch(c.req.raw)
}

/** Hosts count the seconds to the first byte, so it leaves before a tool waits. */
function openStream({ body, status, headers }: Response): Response {
  const first = new TransformStream<Uint8Array, Uint8Array>({ start: out => out.enqueue(FIRST_BYTES) })
  return new Response(body?.pipeThrough(first) ?? null, {
    status,
    headers: {
      'Content-Type': headers.get('Content-Type') ?? '',
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    },
  })
}
