// A redis-server for one test file, on a free port of the loopback interface, without files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Redis } from 'ioredis'
import { freePort } from '../../support/ports.ts'
import { until } from '../../support/viewer.ts'

export type TestRedis = Awaited<ReturnType<typeof startRedis>>

/** `args`: additional arguments of redis-server. */
export async function startRedis(args: string[] = []) {
  const port = await freePort()
  let child = await launch(port, args)
  /** For the test's own commands: CLIENT KILL, PUBSUB, PUBLISH. */
  const client = new Redis({ port, protocol: 2, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  /** SIGKILL. */
  async function kill(): Promise<void> {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    client,
    /** The topics with subscribers whose name contains `part`. */
    topicsOf: async (part: string) => (await client.pubsub('CHANNELS', `*${part}*`)).map(String),
    subscribersOf: async (topic: string) => Number((await client.pubsub('NUMSUB', topic))[1]),
    process: () => child,
    kill,
    /** After a kill, on the same port. */
    async start(): Promise<void> {
      child = await launch(port, args)
    },
    async stop(): Promise<void> {
      client.disconnect()
      if (child.exitCode === null && child.signalCode === null) await kill()
    },
  }
}

async function launch(port: number, args: string[]): Promise<ChildProcess> {
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...own, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let failed: Error | null = null
  child.once('error', error => {
    failed = new Error('redis-server does not start: apt-get install redis-server', { cause: error })
  })
  child.once('exit', () => {
    failed = new Error(`redis-server ended:\n${output}`)
  })
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await until(() => {
    if (failed) throw failed
    return output.includes('Ready to accept connections')
  }, 'redis-server is ready')
  return child
}
