// SIGKILL of an instance, at once or right after its n-th answer with a certain status. It starts again at the end.
import type { Instance } from '../cluster/instance.ts'
import type { Answered } from '../faults.ts'
import { within } from '../wait.ts'
import { type Begin, instanceOf } from './nemesis.ts'

const ANSWERED_MS = 20_000

export const kill: Begin<'kill'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const connections = instance.links.front.connections
  const { after } = fault
  if (after) {
    await killAfter(instance, after)
  } else {
    const killed = instance.process()
    killed.signal('SIGKILL')
    await killed.exited
  }
  const evidence = after
    ? `${instance.name} died with its answer ${after.status} number ${after.nth}`
    : connections > 0
      ? `${instance.name} died with ${connections} connections`
      : null
  return { end: () => instance.restart(), evidence: () => evidence }
}

/** The link sees the answer first, so the process is dead before its client reads it. Rejects if there is no such answer. */
export async function killAfter(
  { name, links, process }: Instance,
  { status, nth }: Answered,
): Promise<void> {
  const killed = process()
  const head = `HTTP/1.1 ${status} `
  let left = nth
  links.front.onAnswer = chunk => {
    if (chunk.toString('latin1', 0, head.length) === head && --left === 0) killed.signal('SIGKILL')
  }
  await within(ANSWERED_MS, killed.exited, `${name} answers with ${status}, ${nth} times`).finally(() => {
    links.front.onAnswer = () => {}
  })
}
