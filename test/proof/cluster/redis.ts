// A redis-server of a run, without files.
import { Redis } from 'ioredis'
import { freePort } from '../../support/ports.ts'
import type { Child, Supervisor } from './supervisor.ts'

export type RedisServer = Awaited<ReturnType<typeof startRedis>>

/** `name`: of its log. */
export async function startRedis(supervisor: Supervisor, name = 'redis') {
  const port = await freePort()
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const launch = async (): Promise<Child> => {
    const child = await supervisor.start({ name, command: ['redis-server', ...own] })
    await child.line(/Ready to accept connections/)
    return child
  }
  let child = await launch()
  const client = new Redis({ port, protocol: 2, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  return {
    port,
    /** For the harness' own commands. */
    client,
    /** How many clients are connected, with the harness' own. */
    async clients(): Promise<number> {
      return Number(/connected_clients:(\d+)/.exec(await client.info('clients'))?.[1] ?? 0)
    },
    /** How many topics have a subscriber. */
    async topics(): Promise<number> {
      const topics = await client.pubsub('CHANNELS')
      return topics.length
    },
    /** How many commands it has refused so far, as a replica without its master. */
    async refused(): Promise<number> {
      const counts = (await client.info('errorstats')).matchAll(
        /errorstat_(?:MASTERDOWN|READONLY):count=(\d+)/g,
      )
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
    },
    process: () => child,
    kill: () => child.kill(),
    /** After a kill, on the same port. */
    async restart() {
      child = await launch()
    },
    end: () => client.disconnect(),
    async stop(): Promise<void> {
      client.disconnect()
      await child.kill()
    },
  }
}
