// All HTTP routes, and the one place that turns thrown errors into responses.
import { Hono } from 'hono'
import type { Logger } from 'pino'
import { allowAnyOrigin, privateWithDeadline, requireOwnOrigin } from './app-middleware.ts'
import type { Bus } from './bus/bus.ts'
import { probe } from './database/probe.ts'
import { asApiError, notFound } from './errors.ts'
import type { Metrics } from './metrics.ts'
import { addAccountRoutes } from './routes/account.ts'
import { addApiKeyRoutes } from './routes/api-keys.ts'
import { addAttributeRoutes } from './routes/attributes.ts'
import { addAuthRoutes } from './routes/auth.ts'
import { requireKey, requireSession } from './routes/callers.ts'
import { addSingleCardRoutes } from './routes/card.ts'
import { addCardRoutes } from './routes/cards.ts'
import { addChannelRoutes } from './routes/channels.ts'
import { addDecideRoute } from './routes/decide.ts'
import { addDecisionRoutes } from './routes/decisions.ts'
import type { AppContext, RouteDeps, Routes } from './routes/deps.ts'
import { addEventRoutes } from './routes/events.ts'
import { addDashboardActionRoutes, addHeaderActionRoutes } from './routes/header-actions.ts'
import { addHookRoutes } from './routes/hooks.ts'
import { addInteractionListRoute, addInteractionRoutes } from './routes/interactions.ts'
import { addInviteRoutes } from './routes/invites.ts'
import { addJwksRoute, JWKS } from './routes/jwks.ts'
import { LATER } from './routes/late-response.ts'
import { addMcpRoute } from './routes/mcp.ts'
import { addMemberRoutes } from './routes/members.ts'
import { addOidcRoutes } from './routes/oidc.ts'
import { addReferenceRoutes } from './routes/reference.ts'
import { addResetPasswordRoute } from './routes/reset-password.ts'
import { addUnlockRoutes } from './routes/unlock.ts'
import { addUsageRoutes } from './routes/usage.ts'
import { addViewRoutes } from './routes/view.ts'
import { addWebAppRoutes } from './routes/web-app.ts'
import { addWebhookLogRoutes } from './routes/webhook-log.ts'
import { addWorkspaceListRoute, addWorkspacePageRoute, addWorkspaceRoutes } from './routes/workspaces.ts'

type AppDeps = Omit<RouteDeps, 'caller'> & {
  metrics: Metrics
  bus: Bus
}

export function createApp(deps: AppDeps) {
  const { log, metrics, public_url } = deps
  const app: Routes = new Hono()
  app.onError((error, c) => respondToError(c, error, log))
  app.notFound(c => respondToError(c, notFound(), log))
  app.use(async (c, next) => {
    await next()
    if (c.res !== LATER) metrics.requests.inc({ method: c.req.method, status: c.res.status })
  })
  addProbes(app, deps)
  app.use(JWKS, allowAnyOrigin)
  addJwksRoute(app, deps)

  app.use('/api/*', privateWithDeadline)
  app.use('/api/v1/*', allowAnyOrigin)
  app.route('/api/v1', publicApi({ ...deps, caller: requireKey(deps.key_ring) }))
  app.use('/api/*', requireOwnOrigin(public_url))
  app.route('/api', dashboardApi({ ...deps, caller: requireSession(deps.sessions) }))
  addMcpRoute(app, deps)
  app.use('/hooks/*', privateWithDeadline, requireOwnOrigin(public_url))
  app.route('/hooks', hooks({ ...deps, caller: requireKey(deps.key_ring) }))
  addWebAppRoutes(app)
  return app
}

function addProbes(app: Routes, { sql, bus, http, metrics }: AppDeps): void {
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
  app.get('/metrics', async c => {
    const { text, type } = await metrics.read()
    return c.text(text, 200, { 'Content-Type': type })
  })
}

function publicApi(deps: RouteDeps): Routes {
  const routes: Routes = new Hono()
  addSharedRoutes(routes, deps)
  addInteractionListRoute(routes, deps)
  addDecideRoute(routes, deps)
  addEventRoutes(routes, deps)
  addReferenceRoutes(routes)
  routes.all('/*', throwNotFound)
  return routes
}

/** For coding agents: in the form of their own hooks. */
function hooks(deps: RouteDeps): Routes {
  const routes: Routes = new Hono()
  addHookRoutes(routes, deps)
  routes.all('/*', throwNotFound)
  return routes
}

function dashboardApi(deps: RouteDeps): Routes {
  const routes: Routes = new Hono()
  addAuthRoutes(routes, deps)
  addResetPasswordRoute(routes, deps)
  addOidcRoutes(routes, deps)
  addAccountRoutes(routes, deps)
  addApiKeyRoutes(routes, deps)
  // Viewers need no session, so their routes come before those that require one.
  addViewRoutes(routes, deps)
  addWorkspacePageRoute(routes, deps)
  addInteractionRoutes(routes, deps)
  addInviteRoutes(routes, deps)
  addUnlockRoutes(routes, deps)
  addSharedRoutes(routes, deps)
  addDashboardActionRoutes(routes, deps)
  addWebhookLogRoutes(routes, deps)
  addUsageRoutes(routes, deps)
  addWorkspaceRoutes(routes, deps)
  addMemberRoutes(routes, deps)
  routes.all('/*', throwNotFound)
  return routes
}

/** The routes of both APIs. */
function addSharedRoutes(routes: Routes, deps: RouteDeps): void {
  addCardRoutes(routes, deps)
  addSingleCardRoutes(routes, deps)
  addDecisionRoutes(routes, deps)
  addChannelRoutes(routes, deps)
  addHeaderActionRoutes(routes, deps)
  addAttributeRoutes(routes, deps)
  addWorkspaceListRoute(routes, deps)
}

const throwNotFound = () => {
  throw notFound()
}

function respondToError(c: AppContext, error: unknown, log: Logger): Response {
  // The route may have set headers for another response before it failed.
  c.header('Cache-Control', 'no-store')
  c.header('ETag', undefined)
  const { code, status, headers, body } = asApiError(error)
  if (code === 'internal_error')
    log.error({ err: error, method: c.req.method, path: c.req.path }, 'request failed')
  for (const [name, value] of Object.entries(headers)) c.header(name, value)
  return c.json(body, status)
}
