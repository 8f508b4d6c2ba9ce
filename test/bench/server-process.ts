// Starts a server in a process of its own, waits until it prints its URL, and ends it at `stop` and when this process
// exits (not when it is killed). The inspector lets us collect its garbage.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { WebSocket } from 'ws'
import { z } from 'zod'

export const projectRoot = fileURLToPath(new URL('../..', import.meta.url))

const START_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 15_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export type ServerProcess = {
  pid: number
  port: number
  /** Collects garbage and returns the heap in use (MB). */
  heapAfterCollection(): Promise<number>
  stop(): Promise<void>
}

/** `args`: Node's options, then the script. `env` is added to the environment. */
export async function startMeasured(args: string[], env: Record<string, string>): Promise<ServerProcess> {
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
    const timer = setTimeout(() => fail('did not start in time'), START_TIMEOUT_MS)
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
    pid: z.number().parse(child.pid),
    port: Number(url.port),
    heapAfterCollection: () => heapAfterCollection(inspector),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
      await exited
      clearTimeout(timer)
    },
  }
}

const heapUsage = z.object({ result: z.object({ usedSize: z.number() }) })

async function heapAfterCollection(inspector: string): Promise<number> {
  const socket = new WebSocket(inspector)
  await once(socket, 'open')
  const ask = async (method: string): Promise<string> => {
    // One call at a time, so all may have the same id.
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
