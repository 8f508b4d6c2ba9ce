// The service on a database: its parts, started in order and stopped in the opposite order.
import type { Logger } from 'pino'
import { CLOSE_GOING_AWAY } from '../shared/close-codes.ts'
import { EVENT_STREAMS_PER_KEY, SOCKETS_PER_CHANNEL } from '../shared/limits.ts'
import { createApp } from './app.ts'
import { createKeyRing } from './auth/api-keys.ts'
import { type Cap, createCap } from './auth/caps.ts'
import { createIdentify } from './auth/identify.ts'
import { createSessions } from './auth/sessions.ts'
import { createThrottle } from './auth/throttle.ts'
import { followAccessChanges } from './bus/access-changes.ts'
import type { Bus, BusEvents } from './bus/bus.ts'
import { startPostgresBus } from './bus/postgres-bus.ts'
import type { Config } from './config.ts'
import { type ConnectTarget, connect, reconnect, type Sql } from './database/connect.ts'
import { connectFirst } from './database/first-contact.ts'
import { migrate } from './database/migrate.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { type ApiError, tooManyConnections, tooManyEventStreams } from './errors.ts'
import { closeInWaves } from './feed/close-in-waves.ts'
import { LOCK_MS as COMMIT_LOCK_MS, CommitLoop } from './feed/commit.ts'
import { ASIDE_CONNECTIONS } from './feed/commit-aside.ts'
import { Feeds } from './feed/feeds.ts'
import { History } from './feed/history.ts'
import { Idempotency } from './feed/idempotency.ts'
import { CardQuota } from './feed/quota.ts'
import { Snapshots } from './feed/snapshots.ts'
import { startHttpServer } from './http-server.ts'
import { LiveWorkspaces } from './live-workspace/live-workspaces.ts'
import { createMetrics, type Metrics, measure } from './metrics.ts'
import { ChannelRegister } from './model/channels.ts'
import { endExpiredClaims, holdDeliveries } from './model/delivery-recovery.ts'
import { startPeriodicWork } from './periodic-work.ts'
import { EventStreams } from './routes/event-streams.ts'
import { liveDoor } from './routes/live.ts'
import { syncDoor } from './routes/sync.ts'
import { createUpgrades } from './routes/upgrades.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

/** Requests that wait longer for a lock fail: they hold connections that all others need. */
const LOCK_MS = 900

export type ServiceOptions = {
  config: Config
  auth_secret: string
  target: ConnectTarget
  /** The database was just restored from a backup. */
  restored: boolean
  /** No other instance uses the database, so nothing that was on its way before the start still is. */
  alone?: boolean
  log: Logger
  /** The wall clock. It may jump, so it measures nothing. */
  now?: () => number
  /** Measures how long something takes, in milliseconds. Tests look ahead. */
  elapsed?: () => number
  /** How long a webhook's receiver has to respond; tests wait less. */
  webhook_timeout_ms?: number
  /** How many sockets a channel may have open; tests allow fewer. */
  sockets_per_channel?: number
  /** How much memory documents may take; tests allow less. */
  memory_max_bytes?: number | undefined
}

export type Service = {
  /** The address that users type. */
  url: string
  sql: Sql
  feeds: Feeds
  history: History
  quota: CardQuota
  /** All routes, so that a test can compare them with the API reference. */
  routes: { method: string; path: string }[]
  /** Finishes what is in flight, closes all sockets and disconnects from the database. */
  stop(): Promise<void>
}

type Part = { stop(): void | Promise<void> }

export async function startService(options: ServiceOptions): Promise<Service> {
  const parts: Part[] = []
  const stop = () => stopAll(parts, options.log)
  try {
    return { ...(await startParts(options, parts)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function stopAll(parts: Part[], log: Logger): Promise<void> {
  for (const part of parts.splice(0).reverse()) {
    try {
      await part.stop()
    } catch (error) {
      log.warn({ err: error }, 'could not stop a part of the service')
    }
  }
}

async function startParts(options: ServiceOptions, parts: Part[]): Promise<Omit<Service, 'stop'>> {
  const { config, auth_secret, target, log, now = Date.now, elapsed = () => performance.now() } = options
  const add = <T extends Part>(part: T): T => {
    parts.push(part)
    return part
  }

  const database = add(await connectAll(target))
  const { sql } = database
  await migrate(sql)
  let dispatcher: Dispatcher | null = null
  const on_lost = () => {
    database.reconnect()
    dispatcher?.historyLost()
  }
  const history = await History.begin({ sql, log, hold: holdDeliveries, on_lost }, options.restored)

  const http = add(await startHttpServer(config, elapsed))
  // The bus comes before the parts that its notices concern. Until those exist, there is nothing to report to them.
  const bus = add(
    await startBus(options, sql, {
      heard: notice => dispatcher?.receive(notice),
      gap: connected => dispatcher?.noticesMissed(connected),
      watching: channel_ids => dispatcher?.watching(channel_ids),
    }),
  )

  const metrics = createMetrics()
  const workspaces = add(new LiveWorkspaces({ sql, log, elapsed }, bus))
  const snapshots = add(new Snapshots(target, log))
  const quota = new CardQuota(sql, config.daily_card_limit)
  const feeds = add(
    new Feeds(
      {
        sql,
        commits: createCommitLoop(options, database, metrics),
        quota,
        snapshots,
        log,
        history,
        now,
        elapsed,
        followed: (source, turns) => metrics.followed.inc({ source }, turns),
        on_growth: channel_id => workspaces.channelGrew(channel_id),
        memory_max_bytes: options.memory_max_bytes,
      },
      () => bus,
    ),
  )
  measure(metrics, { feeds, workspaces, bus, history })

  const auth = createAuth(sql, auth_secret, http.url, now)
  const register = new ChannelRegister(sql)
  const idempotency = new Idempotency(sql, elapsed)
  const streams = new EventStreams(
    createMeasuredCap(metrics, 'event_stream', EVENT_STREAMS_PER_KEY, tooManyEventStreams),
  )
  const webhooks = add(
    new WebhookSender({
      sql,
      history,
      private_networks: config.webhook_private_networks,
      head_timeout_ms: options.webhook_timeout_ms,
      log,
    }),
  )
  const sockets_per_channel = options.sockets_per_channel ?? SOCKETS_PER_CHANNEL
  const upgrades = add(
    createUpgrades({
      identify: auth.identify,
      public_url: http.url,
      trust_proxy: config.trust_proxy,
      perAddress: createMeasuredCap(metrics, 'address', config.sockets_per_address, tooManyConnections),
      perRoom: createMeasuredCap(metrics, 'channel', sockets_per_channel, tooManyConnections),
      log,
      doors: [syncDoor({ sql, feeds }), liveDoor({ sql, workspaces })],
    }),
  )

  const { key_ring } = auth
  const dispatch = createDispatcher({
    sql,
    log,
    bus,
    history,
    key_ring,
    register,
    quota,
    feeds,
    workspaces,
    streams,
    upgrades,
  })
  dispatcher = dispatch
  dispatch.noticesMissed(bus.connected)
  add(
    await followAccessChanges({
      sql,
      changed: dispatch.receive,
      gap: dispatch.accessChangesMissed,
      log,
    }),
  )

  const app = createApp({
    sql,
    config,
    public_url: http.url,
    log,
    now,
    auth,
    channels: { register, feeds, idempotency, streams },
    webhooks,
    metrics,
    bus,
    publish: dispatch.publish,
  })
  add({
    async stop() {
      streams.endWhere(() => true)
      upgrades.stop()
      // Viewers' sockets are connections of the server, so it closes after they are closed.
      const served = Promise.all([http.stop(), webhooks.stop()])
      await feeds.settle()
      await closeInWaves([...feeds.viewers, ...workspaces.viewers], CLOSE_GOING_AWAY, 'server stops')
      await served
      await key_ring.stop()
    },
  })
  add(
    startPeriodicWork({
      sql,
      log,
      now,
      auth,
      history,
      feeds,
      idempotency,
      streams,
      interaction_retention_days: config.interaction_retention_days,
    }),
  )

  if (options.alone) await endExpiredClaims(sql, 0)
  webhooks.wake()
  http.serve(app, upgrades.upgrade)
  return { url: http.url, sql, feeds, history, quota, routes: app.routes }
}

/** The pool for requests, and connections for the commit loop alone. */
async function connectAll(target: ConnectTarget) {
  const sql = await connectFirst(target, { lock_ms: LOCK_MS })
  const commit_sql = connect(target, { max: 1, fixed_plans: true, session_lock_ms: COMMIT_LOCK_MS })
  const aside_sql = connect(target, { max: ASIDE_CONNECTIONS, fixed_plans: true })
  const all = [sql, commit_sql, aside_sql]
  return {
    sql,
    commit_sql,
    aside_sql,
    reconnect: () => all.forEach(reconnect),
    stop: async () => void (await Promise.all(all.map(pool => pool.end({ timeout: 2 })))),
  }
}

/** The Redis client is loaded only if it is used. */
async function startBus(options: ServiceOptions, sql: Sql, events: BusEvents): Promise<Bus> {
  const { config, auth_secret, target, log } = options
  if (!config.redis_url) return startPostgresBus(sql, target, events, log)
  const { startRedisBus } = await import('./bus/redis-bus.ts')
  return startRedisBus({ url: config.redis_url, secret: auth_secret, sql, target, events, log })
}

function createCommitLoop(
  { config, target }: ServiceOptions,
  { commit_sql, aside_sql }: { commit_sql: Sql; aside_sql: Sql },
  metrics: Metrics,
): CommitLoop {
  return new CommitLoop(
    commit_sql,
    config.daily_card_limit,
    (verdict, seconds) => {
      metrics.turns.inc({ verdict })
      metrics.commits.observe(seconds)
    },
    aside_sql,
    'socket_dir' in target,
  )
}

function createAuth(sql: Sql, secret: string, url: string, now: () => number) {
  const secure = url.startsWith('https:')
  const sessions = createSessions({ sql, secret, secure, now })
  const key_ring = createKeyRing(sql, { now })
  const throttle = createThrottle(sql)
  const identify = createIdentify({ sessions, key_ring, secret, now })
  return { sessions, key_ring, throttle, identify, secret, secure }
}

/** A cap whose refusals are counted under its name. */
function createMeasuredCap(metrics: Metrics, cap: string, most: number | null, error: () => ApiError): Cap {
  const refusal = () => {
    metrics.refused_connections.inc({ cap })
    return error()
  }
  return createCap({ most, refusal })
}
