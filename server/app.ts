// All HTTP routes, and the one place that turns thrown errors into responses.
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { allowAnyOrigin, privateWithDeadline, requireOwnOrigin } from './app-middleware.ts'
import { requireKey, requireSession } from './auth/middleware.ts'
import type { Bus } from './bus/bus.ts'
import { probe } from './database/probe.ts'
import { asApiError, notFound } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { accountRoutes } from './routes/account.ts'
import { apiKeyRoutes } from './routes/api-keys.ts'
import { attributeRoutes } from './routes/attributes.ts'
import { authRoutes } from './routes/auth.ts'
import { singleCardRoutes } from './routes/card.ts'
import { cardRoutes } from './routes/cards.ts'
import { channelRoutes } from './routes/channels.ts'
import type { AppEnv, RequireCaller, RouteDeps } from './routes/deps.ts'
import { eventRoutes } from './routes/events.ts'
import { dashboardActionRoutes, headerActionRoutes } from './routes/header-actions.ts'
import { interactionListRoute, interactionRoutes } from './routes/interactions.ts'
import { referenceRoutes } from './routes/reference.ts'
import { unlockRoutes } from './routes/unlock.ts'
import { usageRoutes } from './routes/usage.ts'
import { viewRoutes } from './routes/view.ts'
import { webAppRoutes } from './routes/web-app.ts'
import { webhookLogRoutes } from './routes/webhook-log.ts'
import { workspaceListRoute, workspacePageRoute, workspaceRoutes } from './routes/workspaces.ts'

type AppDeps = RouteDeps & {
  public_url: string
  metrics: Metrics
  bus: Bus
  http: { readonly draining: boolean }
}

export function createApp(deps: AppDeps) {
  const { log, metrics, public_url } = deps
  const app = new Hono<AppEnv>()
  app.onError((error, c) => respondToError(c, error, log))
  app.notFound(c => respondToError(c, notFound(), log))
  app.use(async (c, next) => {
    await next()
    metrics.requests.inc({ method: c.req.method, status: c.res.status })
  })
  addProbes(app, deps)

  app.use('/api/*', privateWithDeadline)
  app.use('/api/v1/*', allowAnyOrigin)
  addPublicApi(app, deps)
  app.use('/api/*', requireOwnOrigin(public_url))
  addDashboardApi(app, deps)
  app.route('/', webAppRoutes())
  return app
}

function addProbes(app: Hono<AppEnv>, { sql, bus, http, metrics: { registry } }: AppDeps): void {
  const databaseAnswers = probe(sql)
  const readiness = async () => {
    if (http.draining) return 'stopping'
    return (await databaseAnswers()) ? 'ready' : 'database does not answer'
  }
  app.get('/healthz', c => c.json({ status: 'ok' }))
  app.get('/readyz', async c => {
    const status = await readiness()
    const other_instances = bus.connected ? 'heard' : 'polled'
    return c.json({ status, other_instances }, status === 'ready' ? 200 : 503)
  })
  app.get('/metrics', async c =>
    c.text(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  )
}

function addPublicApi(app: Hono<AppEnv>, deps: RouteDeps): void {
  const key = requireKey(deps.key_ring)
  addChannelRoutes(app, '/api/v1', key, deps)
  app.route('/api/v1', interactionListRoute(key, deps))
  app.route('/api/v1', eventRoutes(key, deps))
  app.route('/api/v1', referenceRoutes())
  app.all('/api/v1/*', throwNotFound)
}

function addDashboardApi(app: Hono<AppEnv>, deps: RouteDeps): void {
  app.route('/api/auth', authRoutes(deps))
  app.route('/api/auth', accountRoutes(deps))
  app.route('/api/api-keys', apiKeyRoutes(deps))
  // Viewers need no session, so their routes come before those that require one.
  app.route('/api', viewRoutes(deps))
  app.route('/api', workspacePageRoute(deps))
  app.route('/api', interactionRoutes(deps))
  app.route('/api', unlockRoutes(deps))

  const session = requireSession(deps)
  addChannelRoutes(app, '/api', session, deps)
  app.route('/api', dashboardActionRoutes(session, deps))
  app.route('/api', webhookLogRoutes(session, deps))
  app.route('/api', usageRoutes(session, deps))
  app.route('/api', workspaceRoutes(session, deps))
  app.all('/api/*', throwNotFound)
}

function addChannelRoutes(app: Hono<AppEnv>, base: string, caller: RequireCaller, deps: RouteDeps): void {
  app.route(base, cardRoutes(caller, deps))
  app.route(base, singleCardRoutes(caller, deps))
  app.route(base, channelRoutes(caller, deps))
  app.route(base, headerActionRoutes(caller, deps))
  app.route(base, attributeRoutes(caller, deps))
  app.route(base, workspaceListRoute(caller, deps))
}

const throwNotFound = () => {
  throw notFound()
}

function respondToError(c: Context<AppEnv>, error: unknown, log: Logger): Response {
  // The route may have set headers for another response before it failed.
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
