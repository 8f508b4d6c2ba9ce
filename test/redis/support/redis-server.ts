// A redis-server for one test file, on a free port of the loopback interface, without files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { Redis } from 'ioredis'
import { until } from '../../support/viewer.ts'

export type TestRedis = {
  url: string
  /** For the test's own commands: CLIENT KILL, PUBSUB, PUBLISH. */
  client: Redis
  process: () => ChildProcess
  /** SIGKILL. */
  kill(): Promise<void>
  /** After a kill, on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** `args`: additional arguments of redis-server. */
export async function startRedis(args: string[] = []): Promise<TestRedis> {
  const port = await freePort()
  let child = await launch(port, args)
  const client = new Redis({ port, protocol: 2, retryStrategy: () => 20, maxRetriesPerRequest: null })
  client.on('error', () => {})
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    client,
    process: () => child,
    async kill() {
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async start() {
      child = await launch(port, args)
    },
    async stop() {
      client.disconnect()
      if (child.exitCode === null && child.signalCode === null) await redis.kill()
    },
  }
  return redis
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

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (typeof address !== 'object' || !address) throw new Error('a listening server has an address')
  return address.port
}
