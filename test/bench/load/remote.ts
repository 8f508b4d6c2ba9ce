// Calls functions in another process, so that load and viewers do not share a thread with anything.
import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { projectRoot } from '../server-process.ts'

export type Functions = Record<string, (argument: never) => unknown>
export type Remote<F extends Functions> = {
  call<K extends keyof F & string>(name: K, argument: Parameters<F[K]>[0]): Promise<Awaited<ReturnType<F[K]>>>
  close(): void
}

const question = z.object({ id: z.number(), name: z.string(), argument: z.any() })
const answer = z.object({ id: z.number(), error: z.string().optional(), result: z.any().optional() })
type Answer = z.infer<typeof answer>
type Waiting = { resolve(result: Answer['result']): void; reject(error: Error): void; timer: NodeJS.Timeout }

const callTime = 200_000
const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Runs in the child: serves calls until the parent ends. */
export function serveCalls(functions: Functions): void {
  process.on('disconnect', () => process.exit())
  process.on('message', async message => {
    const { id, name, argument } = question.parse(message)
    try {
      const run: ((argument: unknown) => unknown) | undefined = z.any().parse(functions[name])
      process.send?.({ id, result: await run?.(argument) })
    } catch (error) {
      process.send?.({ id, error: error instanceof Error ? error.stack : String(error) })
    }
  })
}

/** `file` is in this folder and calls `serveCalls` with the functions of `F`. */
export function startRemote<F extends Functions>(file: string): Remote<F> {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, { cwd: projectRoot, execArgv: ['--import', 'tsx'], serialization: 'advanced' })
  running.add(child)
  const waiting = new Map<number, Waiting>()
  const failAll = (why: string) => {
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(new Error(why))
    }
    waiting.clear()
  }
  child.once('exit', code => {
    running.delete(child)
    failAll(`${file} ended with ${code}`)
  })
  child.on('message', message => {
    const { id, error, result } = answer.parse(message)
    const call = waiting.get(id)
    waiting.delete(id)
    clearTimeout(call?.timer)
    if (error === undefined) call?.resolve(result)
    else call?.reject(new Error(error))
  })

  let calls = 0
  return {
    call: (name, argument) =>
      new Promise((resolve, reject) => {
        const id = ++calls
        const timer = setTimeout(() => failAll(`${file} ${name} did not end in time`), callTime)
        waiting.set(id, { resolve, reject, timer })
        child.send({ id, name, argument })
      }),
    close: () => child.kill('SIGKILL'),
  }
}
