// Builds the parts of the service: the base first, then everything that uses it.
import type { Logger } from 'pino'
import {
  EVENT_STREAMS_PER_KEY,
  HOOKS_PER_KEY,
  SOCKETS_PER_CHANNEL,
  UNREAD_MAX_BYTES,
  UNREAD_MAX_BYTES_IN_ALL,
  WAITS_PER_INSTANCE,
  WAITS_PER_KEY,
} from '../shared/limits.ts'
import { createKeyRing } from './auth/api-keys.ts'
import { type Cap, createCap } from './auth/caps.ts'
import { createIdentify, type Identify } from './auth/identify.ts'
import { createRoles } from './auth/roles.ts'
import { refusalsOf } from './auth/runners.ts'
import { createSessions } from './auth/sessions.ts'
import { createThrottle } from './auth/throttle.ts'
import { UnreadBytes } from './auth/unread-bytes.ts'
import type { Bus, BusEvents } from './bus/bus.ts'
import { startPostgresBus } from './bus/postgres-bus.ts'
import type { Config } from './config.ts'
import { type ConnectTarget, connect, reconnect, type Sql } from './database/connect.ts'
import { connectFirst } from './database/first-contact.ts'
import { migrate } from './database/migrate.ts'
import { findPooler } from './database/pooler.ts'
import type { EndQuestion } from './decisions/end-question.ts'
import { DecisionLooks } from './decisions/looks.ts'
import { readAwaited } from './decisions/reads.ts'
import { fullForm } from './decisions/rows.ts'
import { createSigner } from './decisions/signing.ts'
import { DecisionWaits } from './decisions/waits.ts'
import { type ApiError, tooManyConnections, tooManyEventStreams, tooManyWaits } from './errors.ts'
import { Feeds } from './feed/feeds.ts'
import { LOCK_MS as COMMIT_LOCK_MS, COMMITS_MAX, CommitLoop } from './feed/log/commit.ts'
import { ASIDE_CONNECTIONS } from './feed/log/commit-aside.ts'
import { History } from './feed/log/history.ts'
import { Idempotency } from './feed/log/idempotency.ts'
import { Snapshots } from './feed/log/snapshots.ts'
import { DailyQuota } from './feed/turn/quota.ts'
import { startHttpServer } from './http-server.ts'
import type { KeyPair } from './key-pair.ts'
import { LiveWorkspaces } from './live-workspace/live-workspaces.ts'
import { createMetrics, type Metrics, measure } from './metrics.ts'
import { TRANSACTIONS_MAX } from './model/begin-for.ts'
import { ChannelRegister } from './model/channels.ts'
import { holdDeliveries } from './model/delivery-recovery.ts'
import { readAccesses } from './model/workspaces.ts'
import { EventStreams } from './routes/event-streams.ts'
import { OpenCalls } from './routes/open-calls.ts'
import { channelSocketRoute, workspaceSocketRoute } from './routes/socket-routes.ts'
import { createUpgrades } from './routes/upgrades.ts'

/** Requests that wait longer for a lock fail, because they hold connections that all others need. */
const LOCK_MS = 900
/** Less than the 10.5 s after which a request gets 503, so that its statement ends too. */
const STATEMENT_MS = 10_000
/** docs/operations.md adds up an instance's connections. */
const STATEMENTS_MAX = 8

export type ServiceOptions = {
  config: Config
  auth_secret: string
  /** Signs decisions. */
  signing_key: KeyPair
  target: ConnectTarget
  restored: boolean
  /** No other instance uses the database, so no delivery from before the start is still in flight. */
  alone?: boolean
  log: Logger
  /** The wall clock. It may jump, so it can't measure durations. */
  now?: () => number
  elapsed?: () => number
  /** Tests change these limits. */
  lock_ms?: number
  webhook_timeout_ms?: number
  sockets_per_channel?: number
  waits_per_instance?: number
  memory_max_bytes?: number
  unread_max_bytes?: number
}

/** Registers a part. The service stops its parts in the opposite order. */
export type Add = <T extends { stop(): void | Promise<void> }>(part: T) => T

export type Base = Awaited<ReturnType<typeof startBase>>
export type Channels = ReturnType<typeof startChannels>
export type Auth = ReturnType<typeof createAuth>

/** Database, HTTP server, bus and metrics. `events` may be called as soon as they exist. */
export async function startBase(
  options: ServiceOptions,
  add: Add,
  events: BusEvents & { historyLost(): void },
) {
  const { config, log, now = Date.now, elapsed = () => performance.now() } = options
  const database = add(await connectAll(options))
  const { sql, commit_sql, target } = database
  void openConnections(commit_sql, COMMITS_MAX)
  await migrate(sql)
  const on_lost = () => {
    database.reconnect()
    events.historyLost()
  }
  const history = await History.begin({ sql, log, hold: holdDeliveries, on_lost }, options.restored)
  const http = add(await startHttpServer(config, elapsed))
  const bus = add(await startBus({ ...options, target }, sql, events))
  return { ...options, target, now, elapsed, sql, database, history, http, bus, metrics: createMetrics() }
}

async function connectAll(options: ServiceOptions) {
  const first = await connectFirst(options.target)
  const target = await findPooler(options.target)
  await first.end({ timeout: 0 })
  const { lock_ms = LOCK_MS } = options
  const limits = { statement_ms: STATEMENT_MS }
  const sql = connect(target, {
    ...limits,
    max: STATEMENTS_MAX,
    transactions_max: TRANSACTIONS_MAX,
    lock_ms,
  })
  const commits = { ...limits, fixed_plans: true }
  const commit_sql = connect(target, { ...commits, max: COMMITS_MAX, session_lock_ms: COMMIT_LOCK_MS })
  const aside_sql = connect(target, { ...commits, max: ASIDE_CONNECTIONS })
  const pools = [sql, commit_sql, aside_sql]
  return {
    target,
    sql,
    commit_sql,
    aside_sql,
    reconnect: () => pools.forEach(reconnect),
    stop: async () => void (await Promise.all(pools.map(pool => pool.end({ timeout: 2 })))),
  }
}

/** The first cards then needn't wait for connections. Never rejects: the pool's next query tries again. */
async function openConnections(pool: Sql, count: number): Promise<void> {
  await Promise.allSettled(Array.from({ length: count }, () => pool`select 1`))
}

/** The Redis client is loaded only if it is used. */
async function startBus(options: ServiceOptions, sql: Sql, events: BusEvents): Promise<Bus> {
  const { config, auth_secret, target, log } = options
  if (!config.redis_url) return startPostgresBus({ sql, target, events, log })
  const { startRedisBus } = await import('./bus/redis-bus.ts')
  return startRedisBus({ url: config.redis_url, secret: auth_secret, sql, target, events, log })
}

export function startChannels(base: Base, add: Add, endQuestion: EndQuestion) {
  const { sql, config, target, bus, history, metrics, log, now, elapsed } = base
  const { commit_sql, aside_sql } = base.database
  const { waits_per_instance = WAITS_PER_INSTANCE } = base
  const limits = { cards: config.daily_card_limit, bytes: config.daily_byte_limit }
  const observe = (verdict: string, seconds: number) => {
    metrics.turns.inc({ verdict })
    metrics.commits.observe(seconds)
  }
  const commits = new CommitLoop(commit_sql, limits, observe, aside_sql, 'socket_dir' in target)
  const workspaces = add(new LiveWorkspaces({ sql, log, elapsed }, bus))
  const snapshots = add(new Snapshots(target, log))
  const quota = new DailyQuota(sql, limits)
  const feeds = add(
    new Feeds(
      {
        sql,
        commits,
        quota,
        snapshots,
        log,
        history,
        now,
        elapsed,
        followed: (source, turns) => metrics.followed.inc({ source }, turns),
        endQuestion,
        on_growth: channel_id => workspaces.channelGrew(channel_id),
        public_url: base.http.url,
        sign: createSigner(base.signing_key, base.http.url),
        memory_max_bytes: base.memory_max_bytes,
      },
      bus,
    ),
  )
  const register = new ChannelRegister(sql)
  const idempotency = new Idempotency(sql, elapsed)
  const streams = new EventStreams(
    createCountedCap(metrics, 'event_stream', EVENT_STREAMS_PER_KEY, tooManyEventStreams),
    runners => refusalsOf(sql, runners),
  )
  const looks = add(new DecisionLooks({ sql, log, elapsed }))
  const waits = new DecisionWaits({
    feeds,
    log,
    now,
    looks,
    read: async awaited => (await readAwaited(sql, awaited)).map(one => fullForm(one, base.http.url)),
    refusalsOf: runners => refusalsOf(sql, runners),
    perCaller: createCountedCap(metrics, 'wait', WAITS_PER_KEY, tooManyWaits),
    perInstance: createCountedCap(metrics, 'wait', waits_per_instance, tooManyWaits),
  })
  const unread = new UnreadBytes(
    { per_receiver: base.unread_max_bytes ?? UNREAD_MAX_BYTES, in_all: UNREAD_MAX_BYTES_IN_ALL },
    () => metrics.refused_connections.inc({ cap: 'unread' }),
  )
  const open_hooks = createCountedCap(metrics, 'hook', HOOKS_PER_KEY, tooManyWaits)
  measure(metrics, { feeds, workspaces, waits, unread, bus, history })
  const calls = new OpenCalls(
    createCountedCap(metrics, 'wait', WAITS_PER_KEY, tooManyWaits),
    createCountedCap(metrics, 'wait', waits_per_instance, tooManyWaits),
  )
  return { workspaces, quota, feeds, register, idempotency, streams, unread, looks, waits, calls, open_hooks }
}

export function createAuth({ sql, auth_secret: secret, http, now, elapsed }: Base) {
  const secure = http.url.startsWith('https:')
  const sessions = createSessions(sql, secret, secure, now)
  const key_ring = createKeyRing(sql, { now })
  const roles = createRoles(sql, elapsed)
  const throttle = createThrottle(sql)
  const identify = createIdentify(sessions, key_ring, secret, now)
  return { sessions, key_ring, roles, throttle, identify, secret, secure }
}

export function startSockets(base: Base, { feeds, workspaces, unread }: Channels, identify: Identify) {
  const { sql, config, http, metrics, log, sockets_per_channel = SOCKETS_PER_CHANNEL } = base
  const cap = (name: string, max: number | null) => createCountedCap(metrics, name, max, tooManyConnections)
  return createUpgrades({
    identify,
    public_url: http.url,
    trust_proxy: config.trust_proxy,
    perAddress: cap('address', config.sockets_per_address),
    perTarget: cap('channel', sockets_per_channel),
    log,
    socketRoutes: [channelSocketRoute(sql, feeds, unread), workspaceSocketRoute(sql, workspaces)],
    readAccesses: asked => readAccesses(sql, asked),
    draining: () => http.draining,
  })
}

function createCountedCap(metrics: Metrics, cap: string, max: number | null, error: () => ApiError): Cap {
  return createCap(max, () => {
    metrics.refused_connections.inc({ cap })
    return error()
  })
}
