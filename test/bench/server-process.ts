// Starts a server in a process of its own, waits until it prints its URL, and ends it: at stop, and when this
// process ends for whatever reason. Through the inspector it can be asked to collect its garbage.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { z } from 'zod'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const startTime = 60_000
const stopTime = 15_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export type ServerProcess = {
  pid: number
  port: number
  /** Collects garbage and returns the MB of heap in use. */
  collectGarbage(): Promise<number>
  stop(): Promise<void>
}

/** `args` are Node's; `env` is added to the environment. */
export async function startServer(args: string[], env: Record<string, string>): Promise<ServerProcess> {
  const inspect = ['--inspect=127.0.0.1:0', '--disable-warning=ExperimentalWarning']
  const child = spawn(process.execPath, [...inspect, ...args], {
    cwd: projectRoot,
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))

  let output = ''
  let inspector = ''
  const url = await new Promise<URL>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${args.join(' ')} ${why}:\n${output.slice(-2_000)}`))
    const timer = setTimeout(() => fail('did not start in time'), startTime)
    const read = (chunk: Buffer) => {
      output = (output + chunk).slice(-20_000)
      inspector ||= /ws:\/\/\S+/.exec(output)?.[0] ?? ''
      const found = /http:\/\/[\w.]+:\d+/.exec(output)
      if (!found) return
      clearTimeout(timer)
      resolve(new URL(found[0]))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.stderr.on('data', (chunk: Buffer) => {
      if (!/Debugger|inspector/.test(String(chunk))) process.stderr.write(chunk)
    })
    child.once('exit', code => fail(`ended with ${code}`))
  })

  return {
    pid: child.pid ?? 0,
    port: Number(url.port),
    collectGarbage: () => collectGarbage(inspector),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), stopTime)
      await exited
      clearTimeout(timer)
    },
  }
}

const heapUsage = z.object({ result: z.object({ usedSize: z.number() }) })

async function collectGarbage(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector)
  await once(socket, 'open')
  const ask = async (method: string): Promise<string> => {
    socket.send(JSON.stringify({ id: 1, method }))
    const [message] = await once(socket, 'message')
    return String(message)
  }
  // Twice, because the second collection frees what the first finalizes.
  await ask('HeapProfiler.collectGarbage')
  await ask('HeapProfiler.collectGarbage')
  const { result } = heapUsage.parse(JSON.parse(await ask('Runtime.getHeapUsage')))
  socket.close()
  return result.usedSize / 1e6
}
