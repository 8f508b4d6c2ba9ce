// All HTTP routes, and the one place that turns thrown errors into responses.
import { type Context, Hono } from 'hono'
import type { Logger } from 'pino'
import { type AppEnv, allowAnyOrigin, privateWithDeadline, requireOwnOrigin } from './app-middleware.ts'
import type { KeyRing } from './auth/api-keys.ts'
import type { Identify } from './auth/identify.ts'
import { requireKey, requireSession } from './auth/middleware.ts'
import type { Sessions } from './auth/sessions.ts'
import type { Throttle } from './auth/throttle.ts'
import type { Bus, Notice } from './bus/bus.ts'
import type { Config } from './config.ts'
import type { Sql } from './database/connect.ts'
import { probe } from './database/probe.ts'
import { asApiError, notFound } from './errors.ts'
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
import type { RouteDeps } from './routes/deps.ts'
import type { EventStreams } from './routes/event-streams.ts'
import { eventRoutes } from './routes/events.ts'
import { dashboardActionRoutes, headerActionRoutes } from './routes/header-actions.ts'
import { interactionListRoute, interactionRoutes } from './routes/interactions.ts'
import type { RequireCaller } from './routes/own-channel.ts'
import { referenceRoutes } from './routes/reference.ts'
import { unlockRoutes } from './routes/unlock.ts'
import { usageRoutes } from './routes/usage.ts'
import { viewRoutes } from './routes/view.ts'
import { webAppRoutes } from './routes/web-app.ts'
import { webhookLogRoutes } from './routes/webhook-log.ts'
import { workspaceListRoute, workspacePageRoute, workspaceRoutes } from './routes/workspaces.ts'
import type { WebhookSender } from './webhooks/webhook-sender.ts'

export type AppDeps = {
  sql: Sql
  config: Config
  public_url: string
  log: Logger
  now: () => number
  /** `secret` signs cookies. `secure`: users come over https. */
  auth: {
    sessions: Sessions
    key_ring: KeyRing
    throttle: Throttle
    identify: Identify
    secret: string
    secure: boolean
  }
  channels: { register: ChannelRegister; feeds: Feeds; idempotency: Idempotency; streams: EventStreams }
  webhooks: WebhookSender
  metrics: Metrics
  bus: Bus
  /** Reports what happened to all parts of this instance and to the other instances. */
  publish: (notice: Exclude<Notice, { kind: 'grown' }>) => void
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

  const routeDeps = routeDepsOf(deps)
  app.use('/api/*', privateWithDeadline)
  app.use('/api/v1/*', allowAnyOrigin)
  addPublicApi(app, routeDeps)
  app.use('/api/*', requireOwnOrigin(public_url))
  addDashboardApi(app, routeDeps)
  app.route('/', webAppRoutes())
  return app
}

function routeDepsOf(deps: AppDeps): RouteDeps {
  const { webhooks, publish } = deps
  const on_channel_deleted = (channel_id: string) => publish({ kind: 'channel_deleted', channel_id })
  return {
    ...deps,
    ...deps.auth,
    ...deps.channels,
    on_interaction: (channel_id: string) => {
      webhooks.wake()
      publish({ kind: 'interacted', channel_id })
    },
    on_session_ended: (session_id: string) => publish({ kind: 'session_ended', session_id }),
    on_key_deleted: (key_id: string) => publish({ kind: 'key_ended', key_id }),
    on_workspace_touched: (workspace_id: string) => publish({ kind: 'workspace_touched', workspace_id }),
    on_workspace_changed: (workspace_id: string) => publish({ kind: 'workspace_changed', workspace_id }),
    on_workspace_deleted: (workspace_id: string, channel_ids: string[]) => {
      publish({ kind: 'workspace_deleted', workspace_id })
      for (const channel_id of channel_ids) on_channel_deleted(channel_id)
    },
    on_channel_deleted,
  }
}

function addProbes(app: Hono<AppEnv>, { sql, bus, metrics: { registry } }: AppDeps): void {
  const answers = probe(sql)
  app.get('/healthz', c => c.json({ status: 'ok' }))
  app.get('/readyz', async c => {
    const ready = await answers()
    const status = ready ? 'ready' : 'database does not answer'
    return c.json({ status, other_instances: bus.connected ? 'heard' : 'polled' }, ready ? 200 : 503)
  })
  app.get('/metrics', async c =>
    c.text(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  )
}

/** For automations, by API key. */
function addPublicApi(app: Hono<AppEnv>, deps: RouteDeps): void {
  const key = requireKey(deps.key_ring)
  addChannelRoutes(app, '/api/v1', key, deps)
  app.route('/api/v1', interactionListRoute(key, deps))
  app.route('/api/v1', eventRoutes(key, deps))
  app.route('/api/v1', referenceRoutes())
  app.all('/api/v1/*', unknownRoute)
}

/** For the web app, by session. */
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
  app.all('/api/*', unknownRoute)
}

/** Routes that automations and the dashboard share, with the same bodies, checks and limits. */
function addChannelRoutes(app: Hono<AppEnv>, base: string, caller: RequireCaller, deps: RouteDeps): void {
  app.route(base, cardRoutes(caller, deps))
  app.route(base, channelRoutes(caller, deps))
  app.route(base, headerActionRoutes(caller, deps))
  app.route(base, attributeRoutes(caller, deps))
  app.route(base, workspaceListRoute(caller, deps))
}

function unknownRoute(): never {
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
