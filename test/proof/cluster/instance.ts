// An instance of the built service, with links in front of it and between it and what it needs.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { newPrivateJwk } from '../../../server/key-pair.ts'
import { LEASES } from '../model/leases.ts'
import { type Link, postgresAt, startLink } from '../net/link.ts'
import type { Child, Supervisor } from './supervisor.ts'

export type Instance = Awaited<ReturnType<typeof startInstance>>

const CLOCK = fileURLToPath(new URL('clock.mjs', import.meta.url))
const TIMES = fileURLToPath(new URL('look-times.mjs', import.meta.url))

export type InstanceOptions = {
  name: string
  /** The folder with `dist/`, `migrations/` and `node_modules/`. */
  build: string
  /** The folder of the build that it starts with the first time, if that is another one. */
  previous?: string | undefined
  /** `port`: of a pooler before it. */
  postgres: { socket_dir: string; database: string; port?: number | undefined }
  redis: { port: number } | null
  /** Whether `shiftClock` works. */
  clock?: boolean
  /** A node of a Redis cluster, whose links all instances share. */
  redis_link?: Link | null
  env?: NodeJS.ProcessEnv
}

export async function startInstance(supervisor: Supervisor, options: InstanceOptions) {
  const { name, build, previous = build, postgres, redis, redis_link = null, clock = false, env } = options
  const { port: pooler_port } = postgres
  const database = pooler_port === undefined ? postgresAt(postgres.socket_dir) : { port: pooler_port }
  const to_postgres = await startLink(database, 'socket')
  const own_redis = redis && (await startLink({ port: redis.port }))
  const to_redis = own_redis ?? redis_link

  const clock_file = join(supervisor.folder, `${name}.clock`)
  const preload = [TIMES, ...(clock ? [CLOCK] : [])].map(path => `--import=${path}`)

  const signing_key = JSON.stringify(newPrivateJwk())

  const launch = async (from: string): Promise<{ child: Child; port: number }> => {
    const child = await supervisor.start({
      name,
      command: [process.execPath, ...preload, '--enable-source-maps', join(from, 'dist/server/main.js')],
      env: {
        DATABASE_URL: `postgres:///${postgres.database}`,
        // The driver reads from these what the URL lacks.
        PGHOST: to_postgres.socket_dir,
        PGUSER: 'app',
        AUTH_SECRET: 'a secret that the instances share',
        SIGNING_KEY: signing_key,
        PORT: '0',
        DAILY_CARD_LIMIT: '0',
        DAILY_BYTE_LIMIT: '0',
        DAILY_CHANNEL_LIMIT: '0',
        ACT_LIMIT: '0',
        SIGNUP_LIMIT: '0',
        WORKSPACE_LIMIT: '0',
        WEBHOOK_PRIVATE_NETWORKS: 'allow',
        LOOK_TIMES: JSON.stringify(LEASES),
        ...(clock && { CLOCK_FILE: clock_file }),
        ...(to_redis && { REDIS_URL: `redis://127.0.0.1:${to_redis.port}` }),
        ...env,
      },
    })
    const [, port] = await child.line(/Channel Feed is ready at http:\/\/[^":\s]+:(\d+)/)
    return { child, port: Number(port) }
  }

  let { child, port } = await launch(previous)
  const front = await startLink({ port })
  const links: { front: Link; postgres: Link; redis: Link | null } = {
    front,
    postgres: to_postgres,
    redis: to_redis,
  }
  return {
    name,
    /** `front` is where posters and viewers connect. */
    links,
    /** The same after a restart. */
    url: `http://127.0.0.1:${front.port}`,
    /** Past the link in front of it. */
    direct_url: () => `http://127.0.0.1:${port}`,
    /** Moves its wall clock; 0 moves it back. */
    shiftClock: (shift_s: number) => writeFile(clock_file, String(1000 * shift_s)),
    process: () => child,
    kill: () => child.kill(),
    /** After a kill. */
    async restart(): Promise<void> {
      ;({ child, port } = await launch(build))
      front.repoint({ port })
    },
    async end(): Promise<void> {
      await child.kill()
      for (const link of [front, to_postgres, own_redis]) await link?.end()
    },
  }
}
