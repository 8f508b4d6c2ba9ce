// Middleware of every request below /api: CORS, caching, a deadline, and the check of the origin.
import { createMiddleware } from 'hono/factory'
import { isOwnOrigin } from './auth/origin.ts'
import { accessDenied, unavailable } from './errors.ts'
import { CORS } from './routes/cors.ts'
import type { AppEnv } from './routes/deps.ts'

const PREFLIGHT = {
  'Access-Control-Allow-Origin': '*',
  // Tracing libraries add the last five to every request of a page.
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, ' +
    'X-Requested-With, traceparent, tracestate, baggage, sentry-trace',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Max-Age': '86400',
}

/** Any page may call /api/v1, with a key and without cookies. Hono's `cors` makes Hono build each response twice. */
export const allowAnyOrigin = createMiddleware<AppEnv>((c, next) => {
  if (c.req.method === 'OPTIONS') return Promise.resolve(c.body(null, 204, PREFLIGHT))
  c.header('Access-Control-Allow-Origin', CORS['Access-Control-Allow-Origin'])
  c.header('Access-Control-Expose-Headers', CORS['Access-Control-Expose-Headers'])
  return next()
})

export function requireOwnOrigin(public_url: string) {
  return createMiddleware<AppEnv>(async (c, next) => {
    const reads = ['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)
    if (!reads && !isOwnOrigin(c.env.incoming.headers, public_url)) throw accessDenied()
    await next()
  })
}

const DEADLINE_MS = 10_500
/** Deleting a channel or workspace with many cards takes long. */
const DELETION_MS = 120_000
const DELETION = /^\/api(?:\/v1)?\/(?:channels|workspaces)\/[^/]+$/

/** Returns 503 after the deadline; the request may still take effect. Not `async`, which would cost every request. */
export const privateWithDeadline = createMiddleware<AppEnv>((c, next) => {
  // Routes may replace this header. It is set first, because touching `c.res` afterwards builds a second Response.
  c.header('Cache-Control', 'no-store')
  const { method, path } = c.req
  // A webhook test waits for its receiver, which has ten seconds.
  if (path.endsWith('/webhook-test')) return next()
  return new Promise<void>((resolve, reject) => {
    // While the body is still arriving, the sender is slow, not the database.
    const late = () => {
      if (c.env.incoming.complete) reject(unavailable())
      else timer.refresh()
    }
    const timer = setTimeout(late, method === 'DELETE' && DELETION.test(path) ? DELETION_MS : DEADLINE_MS)
    next()
      .then(resolve, reject)
      .finally(() => clearTimeout(timer))
  })
})
