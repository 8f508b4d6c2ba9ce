// Calls functions of a load process, which serves them with `serveCalls` of the benchmarks.
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Functions } from '../../bench/load/remote.ts'
import type { Child, Supervisor } from '../cluster/supervisor.ts'

const answer = z.object({ id: z.number(), error: z.string().optional(), result: z.any().optional() })

export type Remote<F extends Functions> = {
  process: Child
  call<K extends keyof F & string>(name: K, argument: Parameters<F[K]>[0]): Promise<Awaited<ReturnType<F[K]>>>
}

/** `file`: by default, the one of this name in this folder. */
export async function startRemote<F extends Functions>(
  supervisor: Supervisor,
  name: string,
  file = new URL(`${name}.ts`, import.meta.url),
): Promise<Remote<F>> {
  const path = fileURLToPath(file)
  const command = [process.execPath, '--import', 'tsx', path]
  const child = await supervisor.start({ name, command, messages: true })
  const waiting = new Map<number, (outcome: z.infer<typeof answer>) => void>()
  let calls = 0
  child.onMessage(message => {
    const outcome = answer.parse(message)
    waiting.get(outcome.id)?.(outcome)
    waiting.delete(outcome.id)
  })
  return {
    process: child,
    call: (name, argument) =>
      new Promise((resolve, reject) => {
        const id = ++calls
        waiting.set(id, ({ error, result }) =>
          error === undefined ? resolve(result) : reject(new Error(error)),
        )
        child.exited.then(() => reject(new Error(`${child.name} ended:\n${child.output()}`)))
        child.send({ id, name, argument })
      }),
  }
}
