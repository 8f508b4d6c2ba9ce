// All HTTP routes, and the one place that turns thrown errors into answers.
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import type { Logger } from 'pino'
import type { KeyRing } from './auth/api-keys.ts'
import type { Identify } from './auth/identify.ts'
import { requireKey, requireSession } from './auth/middleware.ts'
import { isOwnOrigin } from './auth/origin.ts'
import type { Sessions } from './auth/sessions.ts'
import type { Throttle } from './auth/throttle.ts'
import type { AccessChange } from './bus/bus.ts'
import type { Config } from './config.ts'
import type { Sql } from './database/connect.ts'
import { probe } from './database/probe.ts'
import { accessDenied, asApiError, notFound, unavailable } from './errors.ts'
import type { Feeds } from './feed/feeds.ts'
import type { Idempotency } from './feed/idempotency.ts'
import type { Metrics } from './metrics.ts'
import type { ChannelRegister } from './model/channels.ts'
import { accountRoutes } from './routes/account.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { attributeRoutes } from './routes/attributes.ts'
import { authRoutes } from './routes/auth.ts'
import { cardRoutes } from './routes/cards.ts'
import { channelRoutes } from './routes/channels.ts'
import type { EventStreams } from './routes/event-streams.ts'
import { eventRoutes } from './routes/events.ts'
import { headerActionRoutes, ownActionRoutes } from './routes/header-actions.ts'
import { interactionListRoute, interactionRoutes } from './routes/interactions.ts'
import type { RequireCaller } from './routes/own-channel.ts'
import { referenceRoutes } from './routes/reference.ts'
import { unlockRoutes } from './routes/unlock.ts'
import { usageRoutes } from './routes/usage.ts'
import { viewRoutes } from './routes/view.ts'
import { webAppRoutes } from './routes/web-app.ts'
import { webhookLogRoutes } from './routes/webhook-log.ts'
import { workspaceListRoute, workspacePageRoute, workspaceRoutes } from './routes/workspaces.ts'
import type { WebhookQueue } from './webhooks/queue.ts'

export type AppDeps = {
  sql: Sql
  config: Config
  public_url: string
  log: Logger
  metrics: Metrics
  sessions: Sessions
  key_ring: KeyRing
  throttle: Throttle
  register: ChannelRegister
  feeds: Feeds
  idempotency: Idempotency
  identify: Identify
  streams: EventStreams
  webhooks: WebhookQueue
  /** An interaction was logged. */
  on_interaction: (channel_id: string) => void
  /** Something changed that the workspace's page shows: open ones are told, on every instance. */
  on_workspace_touched: (workspace_id: string) => void
  /** Signs cookies. */
  secret: string
  /** Users come over https. */
  secure: boolean
  /** False while notices of other instances do not arrive, and the log is polled. */
  hears_others: () => boolean
  now: () => number
  /** Rights changed: open sockets are judged again here, and on the other instances. */
  announce: (change: AccessChange) => void
}

type Env = { Bindings: HttpBindings }

export function createApp(deps: AppDeps) {
  const { sql, config, metrics, announce } = deps
  const app = new Hono<Env>()

  app.onError((error, c) => answerError(c, error, deps.log))
  app.notFound(c => answerError(c, notFound(), deps.log))
  app.use(async (c, next) => {
    await next()
    metrics.requests.inc({ method: c.req.method, status: c.res.status })
  })

  app.get('/healthz', c => c.json({ status: 'ok' }))
  const answers = probe(sql)
  app.get('/readyz', async c => {
    const ready = await answers()
    const status = ready ? 'ready' : 'database does not answer'
    return c.json({ status, other_instances: deps.hears_others() ? 'heard' : 'polled' }, ready ? 200 : 503)
  })
  app.get('/metrics', async c =>
    c.text(await metrics.registry.metrics(), 200, { 'Content-Type': metrics.registry.contentType }),
  )

  const limits = {
    daily_card_limit: config.daily_card_limit,
    daily_channel_limit: config.daily_channel_limit,
    workspace_limit: config.workspace_limit,
  }
  const channelDeleted = (channel_id: string) => announce({ kind: 'channel_deleted', channel_id })
  const feedDeps = { ...deps, ...limits, on_channel_deleted: channelDeleted }

  app.use('/api/*', privateAndInTime)

  /** What automations and the dashboard share: the same bodies, checks and limits. */
  const shared = (base: string, caller: RequireCaller) => {
    app.route(base, cardRoutes(caller, feedDeps))
    app.route(base, channelRoutes(caller, feedDeps))
    app.route(base, headerActionRoutes(caller, deps))
    app.route(base, attributeRoutes(caller, deps))
    app.route(base, workspaceListRoute(caller, deps))
  }

  app.use('/api/v1/*', openToAll)
  const key = requireKey(deps.key_ring)
  shared('/api/v1', key)
  app.route('/api/v1', interactionListRoute(key, deps))
  app.route('/api/v1', eventRoutes(key, deps))
  app.route('/api/v1', referenceRoutes())
  app.all('/api/v1/*', () => {
    throw notFound()
  })

  app.use('/api/*', ownPagesOnly(deps.public_url))
  const sessionDeps = {
    ...deps,
    on_session_ended: (session_id: string) => announce({ kind: 'session_ended', session_id }),
  }
  app.route('/api/auth', authRoutes(sessionDeps))
  app.route('/api/auth', accountRoutes(sessionDeps))
  app.route(
    '/api/api-keys',
    apiKeyRoutes({ ...deps, on_key_deleted: key_id => announce({ kind: 'key_ended', key_id }) }),
  )
  // Viewers need no session: these stand before the dashboard's routes.
  app.route('/api', viewRoutes(deps))
  app.route('/api', workspacePageRoute(deps))
  app.route('/api', interactionRoutes(deps))
  app.route('/api', unlockRoutes({ ...deps, trust_proxy: config.trust_proxy }))

  const session = requireSession(deps)
  shared('/api', session)
  app.route('/api', ownActionRoutes(session, deps))
  app.route('/api', webhookLogRoutes(session, deps))
  app.route('/api', usageRoutes(session, { ...deps, ...limits }))
  app.route(
    '/api',
    workspaceRoutes(session, {
      ...deps,
      ...limits,
      on_workspace_changed: workspace_id => announce({ kind: 'workspace_changed', workspace_id }),
      on_workspace_deleted: (workspace_id, channel_ids) => {
        announce({ kind: 'workspace_deleted', workspace_id })
        for (const channel_id of channel_ids) channelDeleted(channel_id)
      },
    }),
  )
  app.all('/api/*', () => {
    throw notFound()
  })
  app.route('/', webAppRoutes())
  return app
}

const exposed = 'RateLimit, RateLimit-Policy, Retry-After, Idempotent-Replayed, ETag'
const preflight = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID',
  'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE',
  'Access-Control-Max-Age': '86400',
}

/**
 * Any page may call /api/v1, with a key and without cookies. Not hono's own middleware: that one touches `c.res`
 * before there is an answer, so that a Response of the platform is built beside ours for every request.
 */
const openToAll = createMiddleware<Env>((c, next) => {
  if (c.req.method === 'OPTIONS') return Promise.resolve(c.body(null, 204, preflight))
  c.header('Access-Control-Allow-Origin', '*')
  c.header('Access-Control-Expose-Headers', exposed)
  return next()
})

const SILENT_MS = 10_500
/** Deleting a channel or workspace of many cards is long work, and no silence. */
const DELETION_MS = 120_000
const DELETION = /^\/api(?:\/v1)?\/(?:channels|workspaces)\/[^/]+$/

/**
 * Browsers and proxies don't keep an answer, unless its route says that they may. If the database stays silent, the answer
 * is 503; the request may still take effect later. One middleware without `async`: every request passes through here.
 */
const privateAndInTime = createMiddleware<Env>((c, next) => {
  // Before the handler: touching `c.res` builds a second Response.
  c.header('Cache-Control', 'no-store')
  const { method, path } = c.req
  // A test waits for its receiver, which has ten seconds anyway.
  if (path.endsWith('/webhook-test')) return next()
  const deadline_ms = method === 'DELETE' && DELETION.test(path) ? DELETION_MS : SILENT_MS
  return new Promise<void>((resolve, reject) => {
    // A body that is still on its way is not the database's fault.
    const late = () => {
      if (c.env.incoming.complete) reject(unavailable())
      else timer.refresh()
    }
    const timer = setTimeout(late, deadline_ms)
    next().then(
      () => {
        clearTimeout(timer)
        resolve()
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
})

/** Only our own pages may change anything with a cookie. */
function ownPagesOnly(public_url: string) {
  return createMiddleware<Env>(async (c, next) => {
    const reads = c.req.method === 'GET' || c.req.method === 'HEAD' || c.req.method === 'OPTIONS'
    if (!reads && !isOwnOrigin(c.env.incoming.headers, public_url)) throw accessDenied()
    await next()
  })
}

function answerError(c: Context<Env>, error: unknown, log: Logger): Response {
  // The route may have described another answer before it failed.
  c.header('Cache-Control', 'no-store')
  c.header('ETag', undefined)
  const known = asApiError(error)
  if (!known) {
    log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed')
    return c.json({ error: 'Internal server error' }, 500)
  }
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
  return c.json({ error: known.message, ...known.extra }, known.status)
}
