// Everything that a run works on: PostgreSQL, Redis and N instances, with a link on every connection between them.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Sql } from '../../../server/database/connect.ts'
import { type Pooler, startPooler } from '../../support/pooler.ts'
import { type Link, postgresAt, socketOf, startLink } from '../net/link.ts'
import { until } from '../wait.ts'
import { type Instance, startInstance } from './instance.ts'
import { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
import { type RedisServer, startRedis } from './redis.ts'
import { type RedisCluster, startRedisCluster } from './redis-cluster.ts'
import type { Supervisor } from './supervisor.ts'
import { createTap } from './tap.ts'

export type Bus = 'postgres' | 'redis' | 'cluster'

export type ClusterOptions = {
  supervisor: Supervisor
  instances: number
  bus: Bus
  build: string
  /** Of every instance. */
  env?: NodeJS.ProcessEnv | undefined
  /** Whether the clocks of the instances can be shifted. */
  clocks?: boolean
  database?: PostgresOptions
  /** Whether the instances reach the database through a pooler in transaction mode. */
  pooler?: boolean
  /** Of a balancer in front of the given URLs. */
  startBalancer?: ((urls: string[]) => Promise<Balancer>) | undefined
  /** The folder of a build that instances start with. They restart with `build`. */
  previous?: string | undefined
}

export type Balancer = {
  url: string
  stop(): Promise<void>
  /** Whether it sends requests to the instance. */
  isReady?(url: string): boolean
  leave?(url: string): void
  use?(url: string): void
}

/** `sql` reaches the database past the instances' links. `direct` is its own, which only follows the database. */
export type Cluster = {
  supervisor: Supervisor
  postgres: Postgres
  redis: RedisServer | null
  redis_cluster: RedisCluster | null
  instances: Instance[]
  sql: Sql
  direct: Link
  balancer: Balancer | null
  pooler: Pooler | null
  /** To the webhook receiver, once it has been started and the link repointed. */
  webhooks: Link
  /** Resolves when every instance answers /readyz with 200 through its link. */
  ready(limit_ms: number): Promise<void>
  end(): Promise<void>
}

const DATABASE = 'feed'
/** Fewer than an instance's connections, so that they share them. With a handful, every request would wait for half a second. */
const POOLER_SESSIONS = 12

export async function startCluster(options: ClusterOptions) {
  const { supervisor, instances: count, bus, build, env = {}, clocks = false, database } = options
  const has_pooler = options.pooler ?? false
  const { startBalancer, previous } = options
  const root = await mkdtemp(join(tmpdir(), 'channel-feed-proof-'))
  const postgres = await startPostgres(supervisor, root, database)
  const { admin, socket_dir } = postgres.primary
  await admin`create database ${admin(DATABASE)}`
  const redis = bus === 'redis' ? await startRedis(supervisor) : null
  const redis_cluster = bus === 'cluster' ? await startRedisCluster(supervisor) : null
  const pooler = has_pooler
    ? await startPooler(socketOf(socket_dir), { choice: 'oldest', size: POOLER_SESSIONS })
    : null
  const start = (i: number) =>
    startInstance(supervisor, {
      name: `instance-${i}`,
      build,
      previous,
      postgres: { socket_dir, database: DATABASE, port: pooler?.port },
      redis,
      env,
      clock: clocks,
      // The nodes announce their links, so all instances use the same ones.
      redis_link: redis_cluster?.links[i % redis_cluster.links.length] ?? null,
    })
  // The first one makes the tables.
  const instances = [await start(0)]
  const direct = await startLink(postgresAt(socket_dir), 'socket')
  const sql = connect({ socket_dir: direct.socket_dir, database: DATABASE }, { max: 4 })
  await createTap(sql)
  const webhooks = await startLink({ port: 0 })
  instances.push(...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => start(i + 1)))))

  const balancer = startBalancer ? await startBalancer(instances.map(({ url }) => url)) : null

  const cluster: Cluster = {
    supervisor,
    postgres,
    redis,
    redis_cluster,
    instances,
    sql,
    direct,
    balancer,
    pooler,
    webhooks,
    async ready(limit_ms) {
      await Promise.all(
        instances.map(({ name, url }) => until(() => isReady(url), `${name} is ready`, limit_ms)),
      )
    },
    async end() {
      await balancer?.stop()
      await Promise.all(instances.map(instance => instance.end()))
      redis?.end()
      await redis_cluster?.end()
      await sql.end({ timeout: 0 })
      await direct.end()
      await webhooks.end()
      pooler?.end()
      await postgres.end()
    },
  }
  return cluster
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(2_000) })
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
