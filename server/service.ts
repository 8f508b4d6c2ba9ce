// The service on a database: feeds, bus, app and sockets, listening; and all of it stopped in the opposite order.
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import type { Logger } from 'pino'
import { CLOSE_GOING_AWAY } from '../shared/close-codes.ts'
import { EVENT_STREAMS_PER_KEY, SOCKETS_PER_CHANNEL } from '../shared/limits.ts'
import { createApp } from './app.ts'
import { createKeyRing } from './auth/api-keys.ts'
import { type Cap, createCap } from './auth/caps.ts'
import { createIdentify } from './auth/identify.ts'
import { createSessions } from './auth/sessions.ts'
import { createThrottle } from './auth/throttle.ts'
import { deleteOldAccessChanges, followAccessChanges } from './bus/access-changes.ts'
import type { AccessChange, Bus, BusEvents } from './bus/bus.ts'
import { startPostgresBus } from './bus/postgres-bus.ts'
import { type Config, ConfigError } from './config.ts'
import { type ConnectTarget, connect, reconnect, type Sql } from './database/connect.ts'
import { connectFirst } from './database/first-contact.ts'
import { migrate } from './database/migrate.ts'
import { type ApiError, tooManyConnections, tooManyEventStreams } from './errors.ts'
import { closeInWaves } from './feed/close-in-waves.ts'
import { LOCK_MS as COMMIT_LOCK_MS, CommitLoop, type Verdict } from './feed/commit.ts'
import { ASIDE_CONNECTIONS } from './feed/commit-aside.ts'
import { Feeds } from './feed/feeds.ts'
import { History } from './feed/history.ts'
import { Idempotency } from './feed/idempotency.ts'
import { CardQuota } from './feed/quota.ts'
import { Snapshots } from './feed/snapshots.ts'
import { WatchedWorkspaces } from './feed/watched-workspaces.ts'
import { createMetrics } from './metrics.ts'
import { deleteOldActivity } from './model/activity.ts'
import { ChannelRegister } from './model/channels.ts'
import {
  claimDeliveries,
  closeWithoutUrl,
  finishDelivery,
  giveUpLostClaims,
  holdWaiting,
  markSent,
  putBack,
} from './model/delivery-queue.ts'
import { deleteOldInteractions } from './model/interactions.ts'
import { readWaiting } from './model/waiting-queues.ts'
import { readActivity, readWorkspacePage } from './model/workspace-page.ts'
import { EventStreams } from './routes/event-streams.ts'
import { liveDoor } from './routes/live.ts'
import { answerWithoutUpgrade, isWebSocket } from './routes/other-upgrades.ts'
import { syncDoor } from './routes/sync.ts'
import { oneAtATime, StalledConnections } from './routes/unread-responses.ts'
import { createUpgrades } from './routes/upgrades.ts'
import { WebhookQueue } from './webhooks/queue.ts'

/** Requests that wait longer for a lock are refused: they hold connections that all others need. */
const LOCK_MS = 900
const SWEEP_MS = 3_600_000
const FIRST_SWEEP_MS = 60_000
const KEY_USES_MS = 60_000
const PRUNE_MS = 60_000
/** How soon another database behind the same address is noticed where nothing is written. */
const HISTORY_MS = 1_000
/** How soon event streams tell an interaction whose notice was lost. */
const STREAMS_MS = 3_000

export type ServiceOptions = {
  config: Config
  auth_secret: string
  target: ConnectTarget
  /** The database was just put back from a backup. */
  restored: boolean
  /** No other instance uses the database: what was on its way at the start is on its way no more. */
  alone?: boolean
  log: Logger
  /** The wall clock. It may jump: never measure with it. */
  now?: () => number
  /** Measures how long something takes, in milliseconds. Tests look ahead. */
  elapsed?: () => number
  /** How long a webhook's receiver has; tests wait less. */
  webhook_timeout_ms?: number
  /** How many sockets one channel may have open; tests allow fewer. */
  sockets_per_channel?: number
  /** How much memory documents may take; tests fill less. */
  memory_max_bytes?: number | undefined
}

export type Service = {
  /** The address that users type. */
  url: string
  sql: Sql
  feeds: Feeds
  history: History
  quota: CardQuota
  /** All that is mounted, so that a test can hold the reference against it. */
  routes: { method: string; path: string }[]
  /** Finishes what is in flight, closes the sockets, lets go of the database. */
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const stops: Stop[] = []
  try {
    return await start(options, stops)
  } catch (error) {
    await stopAll(stops, options.log)
    throw error
  }
}

/** Undoes one step of the start. */
type Stop = () => void | Promise<void>

const monotonic = () => performance.now()

async function start(options: ServiceOptions, stops: Stop[]): Promise<Service> {
  const { config, auth_secret, target, restored, log, now = Date.now, elapsed = monotonic } = options
  const sql = await connectFirst(target, { lock_ms: LOCK_MS })
  stops.push(() => sql.end({ timeout: 2 }))
  const commitSql = connect(target, { max: 1, fixed_plans: true, session_lock_ms: COMMIT_LOCK_MS })
  stops.push(() => commitSql.end({ timeout: 2 }))
  const asideSql = connect(target, { max: ASIDE_CONNECTIONS, fixed_plans: true })
  stops.push(() => asideSql.end({ timeout: 2 }))
  await migrate(sql)
  const history = await History.begin(
    { sql, log, hold: holdWaiting, on_lost: () => forgetLostHistory() },
    restored,
  )

  // Node 24 asks; before it hands over whatever is offered, see onUpgrade.
  const upgrading: ServerOptions & { shouldUpgradeCallback: (request: IncomingMessage) => boolean } = {
    shouldUpgradeCallback: request => isWebSocket(request) && server.listenerCount('upgrade') > 0,
  }
  const server = createServer(upgrading, starting)
  const stalled = new StalledConnections(server, elapsed)
  stops.push(() => stalled.stop())
  const url = await listen(server, config)
  stops.push(() => stopServing(server))

  const snapshots = new Snapshots(target, log)
  stops.push(() => snapshots.stop())
  const quota = new CardQuota(sql, config.daily_card_limit)
  const metrics = createMetrics(
    () => ({ ...feeds.counts(), workspace_viewers: workspaces.viewers.length }),
    () => bus.connected,
    () => history.losses,
  )
  const observe = (verdict: Verdict['kind'], seconds: number) => {
    metrics.turns.inc({ verdict })
    metrics.commits.observe(seconds)
  }
  const commits = new CommitLoop(
    commitSql,
    config.daily_card_limit,
    observe,
    asideSql,
    'socket_dir' in target,
  )
  let bus: Bus = silentBus
  const workspaces = new WatchedWorkspaces(
    {
      readPage: workspace_id => readWorkspacePage(sql, workspace_id),
      readActivity: channel_ids => readActivity(sql, channel_ids),
      log,
      elapsed,
    },
    () => bus,
  )
  stops.push(() => workspaces.stop())
  const on_growth = (channel_id: string) => workspaces.grew(channel_id)
  const followed = (source: 'bus' | 'log', turns: number) => metrics.followed.inc({ source }, turns)
  const feeds = new Feeds(
    {
      sql,
      commits,
      quota,
      snapshots,
      log,
      history,
      now,
      elapsed,
      followed,
      on_growth,
      memory_max_bytes: options.memory_max_bytes,
    },
    () => bus,
  )
  stops.push(() => feeds.stop())

  const secure = url.startsWith('https:')
  const sessions = createSessions({ sql, secret: auth_secret, secure, now })
  const key_ring = createKeyRing(sql, { now })
  const throttle = createThrottle(sql)
  const register = new ChannelRegister(sql)
  const idempotency = new Idempotency(sql, elapsed)
  const identify = createIdentify({ sessions, key_ring, secret: auth_secret, now })
  const cap = (name: string, most: number | null, error: () => ApiError): Cap => {
    const refusal = () => {
      metrics.refused_connections.inc({ cap: name })
      return error()
    }
    return createCap({ most, refusal })
  }
  const streams = new EventStreams(cap('event_stream', EVENT_STREAMS_PER_KEY, tooManyEventStreams))
  const webhooks = new WebhookQueue({
    sql,
    rows: {
      waiting: readWaiting,
      claim: claimDeliveries,
      closeWithoutUrl,
      putBack,
      // What waits in a database that lacks commits may have been sent.
      markSent: (on, claimed) => markSent(on, claimed, history.settled),
      finish: finishDelivery,
      giveUpLostClaims,
    },
    private_networks: config.webhook_private_networks,
    head_timeout_ms: options.webhook_timeout_ms,
    log,
  })
  stops.push(() => webhooks.stop())
  const doors = [syncDoor({ sql, feeds }), liveDoor({ sql, workspaces })]
  const upgrades = createUpgrades({
    identify,
    public_url: url,
    trust_proxy: config.trust_proxy,
    perAddress: cap('address', config.sockets_per_address, tooManyConnections),
    perRoom: cap('channel', options.sockets_per_channel ?? SOCKETS_PER_CHANNEL, tooManyConnections),
    log,
    doors,
  })
  stops.push(() => upgrades.stop())

  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    if (isWebSocket(request)) upgrades.upgrade(request, stream, head)
    else answerWithoutUpgrade(server, request, stream, head)
  }

  const changed = (change: AccessChange) => {
    if (change.kind === 'key_ended') key_ring.forget(change.key_id)
    if (change.kind === 'workspace_deleted') key_ring.forgetWorkspace(change.workspace_id)
    if (change.kind === 'workspace_changed') workspaces.touched(change.workspace_id)
    if (change.kind === 'channel_deleted') {
      register.forget(change.channel_id)
      feeds.deleted(change.channel_id)
      workspaces.channelDeleted(change.channel_id)
    }
    streams.changed(change)
    upgrades.changed(change)
  }
  const forgetLostHistory = () => {
    reconnect(sql)
    reconnect(commitSql)
    reconnect(asideSql)
    quota.forgetAll()
    key_ring.forgetAll()
    register.forgetAll()
    feeds.historyLost()
    judgeAll()
  }
  const checkHistory = () =>
    history.check().catch(error => log.debug({ err: error }, 'could not check the database’s history'))
  const catchUp = (channel_ids?: string[]) =>
    feeds.catchUp(channel_ids).catch(error => log.debug({ err: error }, 'no catch-up'))
  const judgeAll = () => {
    workspaces.catchUp()
    upgrades.judgeAll()
    streams.judge(sql).catch(error => log.debug({ err: error }, 'streams were not judged'))
  }
  bus = await startBus(options, sql, {
    heard: notice => {
      switch (notice.kind) {
        case 'grown':
          feeds.heard(notice)
          return workspaces.grew(notice.channel_id)
        case 'interacted':
          return streams.interacted(notice.channel_id)
        case 'workspace_touched':
          return workspaces.touched(notice.workspace_id)
        default:
          changed(notice)
      }
    },
    gap: connected => {
      key_ring.busConnected(connected)
      register.forgetAll()
      void checkHistory().then(() => catchUp())
      if (connected) judgeAll()
    },
    watching: channel_ids => {
      void catchUp(channel_ids)
      for (const id of channel_ids) workspaces.grew(id)
    },
  })
  stops.push(() => bus.stop())
  const accessChanges = await followAccessChanges({
    sql,
    changed,
    gap: () => {
      key_ring.forgetAll()
      register.forgetAll()
      void catchUp()
      judgeAll()
    },
    log,
  })
  stops.push(() => accessChanges.stop())

  const app = createApp({
    sql,
    config,
    public_url: url,
    log,
    metrics,
    hears_others: () => bus.connected,
    sessions,
    key_ring,
    throttle,
    register,
    feeds,
    idempotency,
    identify,
    streams,
    webhooks,
    on_interaction: channel_id => {
      webhooks.wake()
      streams.interacted(channel_id)
      bus.tell({ kind: 'interacted', channel_id })
    },
    on_workspace_touched: workspace_id => {
      workspaces.touched(workspace_id)
      bus.tell({ kind: 'workspace_touched', workspace_id })
    },
    secret: auth_secret,
    secure,
    now,
    announce: change => {
      changed(change)
      bus.tell(change)
    },
  })
  const sweepInteractions = async () => {
    if (config.interaction_retention_days !== null)
      await deleteOldInteractions(sql, config.interaction_retention_days)
  }
  const sweepAll = () => {
    Promise.all([
      idempotency.sweep(),
      sessions.deleteExpired(),
      deleteOldAccessChanges(sql),
      throttle.sweep(),
      sweepInteractions(),
      deleteOldActivity(sql, now()),
    ]).catch(error => log.warn({ err: error }, 'no sweep'))
  }
  const sweep = setInterval(sweepAll, SWEEP_MS)
  // An instance that is restarted every hour sweeps too.
  const firstSweep = setTimeout(sweepAll, FIRST_SWEEP_MS)
  const pruning = setInterval(() => {
    feeds.prune().catch(error => log.warn({ err: error }, 'no pruning'))
  }, PRUNE_MS)
  const streamLooks = setInterval(() => {
    streams.look(sql).catch(error => log.debug({ err: error }, 'no look at interactions'))
  }, STREAMS_MS)
  const historyChecks = setInterval(() => void checkHistory(), HISTORY_MS)
  const keyUses = setInterval(() => void key_ring.flush().catch(() => {}), KEY_USES_MS)
  stops.push(async () => {
    clearInterval(sweep)
    clearTimeout(firstSweep)
    clearInterval(keyUses)
    clearInterval(pruning)
    clearInterval(historyChecks)
    clearInterval(streamLooks)
    streams.stop()
    // Viewers' sockets are connections of the server: it is not closed before they are.
    server.off('upgrade', onUpgrade)
    upgrades.stop()
    const served = Promise.all([stopServing(server), webhooks.stop()])
    await feeds.settle()
    await closeInWaves([...feeds.viewers, ...workspaces.viewers], CLOSE_GOING_AWAY, 'server stops')
    await served
    await key_ring.flush()
  })

  if (options.alone) await giveUpLostClaims(sql, 0)
  webhooks.wake()
  server.on('upgrade', onUpgrade)
  server.off('request', starting)
  // HTTP/1.0 has no Host: load balancers still ask for /healthz in it.
  server.on(
    'request',
    oneAtATime(getRequestListener(app.fetch, { hostname: 'localhost', errorHandler: badRequestAnswer })),
  )
  return { url, sql, feeds, history, quota, routes: app.routes, stop: () => stopAll(stops, log) }
}

/** The Redis client is loaded only where it is used. */
async function startBus(options: ServiceOptions, sql: Sql, events: BusEvents): Promise<Bus> {
  const { config, auth_secret, target, log } = options
  if (!config.redis_url) return startPostgresBus(sql, target, events, log)
  const { startRedisBus } = await import('./bus/redis-bus.ts')
  return startRedisBus({ url: config.redis_url, secret: auth_secret, sql, target, events, log })
}

/** What cannot even become a request: an invalid Host, a target that is no path. */
const badRequestAnswer = () => Response.json({ error: 'Bad request' }, { status: 400 })

/** Answers while the database starts: the process is up, and not ready. */
const starting: RequestListener = (request, response) => {
  const alive = request.url === '/healthz'
  response.writeHead(alive ? 200 : 503, { 'Content-Type': 'application/json', 'Retry-After': '1' })
  response.end(JSON.stringify(alive ? { status: 'ok' } : { error: 'Service unavailable' }))
}

/** Returns the address that users type. */
async function listen(server: Server, config: Config): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason =
        error.code === 'EADDRINUSE' ? 'is in use: set PORT to another one' : `cannot be used (${error.code})`
      reject(new ConfigError(`PORT ${config.port} on HOST ${config.host} ${reason}`))
    })
    server.listen(config.port, config.host, resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  return config.public_url ?? `http://localhost:${port}`
}

/** Takes no new connections, and resolves when the requests in flight are answered. */
async function stopServing(server: Server): Promise<void> {
  if (!server.listening) return
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  const idle = setInterval(() => server.closeIdleConnections(), 50)
  await closed
  clearInterval(idle)
}

const silentBus: Bus = {
  tell: () => {},
  watch: () => () => {},
  connected: true,
  stop: () => Promise.resolve(),
}

async function stopAll(stops: Stop[], log: Logger): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch (error) {
      log.warn({ err: error }, 'could not stop a part')
    }
  }
}
