// What soak and scale measure: PostgreSQL, Redis and N instances, without the tap and with nothing between them, because
// both would cost what they measure. Only the link in front of an instance remains, for those that restart.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Sql } from '../../../server/database/connect.ts'
import type { Bus } from '../../proof/cluster/cluster.ts'
import { type Instance, startInstance } from '../../proof/cluster/instance.ts'
import { type Postgres, startPostgres } from '../../proof/cluster/postgres.ts'
import { type RedisServer, startRedis } from '../../proof/cluster/redis.ts'
import type { Supervisor } from '../../proof/cluster/supervisor.ts'
import { createAccount } from '../../support/account.ts'
import { createChannel } from '../../support/channels.ts'

export type Measured = {
  postgres: Postgres
  redis: RedisServer | null
  instances: Instance[]
  sql: Sql
  end(): Promise<void>
}

export type MeasuredOptions = {
  supervisor: Supervisor
  instances: number
  bus: Bus
  build: string
  /** Of an instance, by its name. */
  env?: (name: string) => NodeJS.ProcessEnv
}

const DATABASE = 'feed'
const CREATED_TOGETHER = 16

export async function startMeasured(options: MeasuredOptions): Promise<Measured> {
  const { supervisor, instances: count, bus, build, env = () => ({}) } = options
  const postgres = await startPostgres(supervisor, await mkdtemp(join(tmpdir(), 'channel-feed-proof-')), {
    more: {
      shared_preload_libraries: 'pg_stat_statements',
      shared_buffers: '128MB',
      checkpoint_timeout: '5min',
    },
  })
  const { admin, socket_dir } = postgres.primary
  await admin`create database ${admin(DATABASE)}`
  const redis = bus === 'redis' ? await startRedis(supervisor) : null
  const start = (i: number) => {
    const name = `instance-${i}`
    return startInstance(supervisor, {
      name,
      build,
      postgres: { socket_dir, database: DATABASE },
      redis,
      env: {
        PGHOST: socket_dir,
        SOCKETS_PER_ADDRESS: '0',
        WORKSPACE_LIMIT: '0',
        ...(redis && { REDIS_URL: `redis://127.0.0.1:${redis.port}` }),
        ...env(name),
      },
    })
  }
  // The first one makes the tables.
  const instances = [await start(0)]
  instances.push(...(await Promise.all(Array.from({ length: count - 1 }, (_, i) => start(i + 1)))))
  const sql = connect({ socket_dir, database: DATABASE }, { max: 2 })
  await sql`create extension if not exists pg_stat_statements`
  return {
    postgres,
    redis,
    instances,
    sql,
    async end() {
      await Promise.all(instances.map(instance => instance.end()))
      redis?.end()
      await sql.end({ timeout: 0 })
      await postgres.end()
    },
  }
}

export type Channels = { api_key: string; channel_ids: string[] }

/** In a public workspace, so that anyone may watch and interact. `fields` of the n-th channel. */
export async function createChannels(
  url: string,
  count: number,
  fields: (n: number) => object = () => ({}),
): Promise<Channels> {
  const account = await createAccount({ url })
  await account.session('PATCH', `/workspaces/${account.workspace_id}`, { visibility: 'public' })
  const channel_ids: string[] = []
  let next = 0
  const work = async () => {
    for (let n = next++; n < count; n = next++)
      channel_ids[n] = await createChannel(account, { name: `Channel ${n}`, ...fields(n) })
  }
  await Promise.all(Array.from({ length: CREATED_TOGETHER }, work))
  return { api_key: account.api_key, channel_ids }
}
