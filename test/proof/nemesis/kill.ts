// SIGKILL of an instance: at once, right after its n-th answer with a certain status, in the middle of a webhook or of a
// drain. It starts again at the end.
import { setTimeout as delay } from 'node:timers/promises'
import type { Instance } from '../cluster/instance.ts'
import { hasConnection } from '../cluster/sockets.ts'
import type { Answered, Delivered, Draining } from '../faults.ts'
import type { Link } from '../net/link.ts'
import { within } from '../wait.ts'
import { type Begin, instanceOf } from './nemesis.ts'

const ANSWERED_MS = 20_000

export const kill: Begin<'kill'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const connections = instance.links.front.connections
  const { after } = fault
  let evidence = connections > 0 ? `${instance.name} died with ${connections} connections` : null
  if (!after) {
    const killed = instance.process()
    killed.signal('SIGKILL')
    await killed.exited
  } else if ('status' in after) {
    await killAfter(instance, after)
    evidence = `${instance.name} died with its answer ${after.status} number ${after.nth}`
  } else if ('drain_ms' in after) {
    evidence = await killInDrain(instance, after)
  } else {
    await killAtByte(instance, stage.webhooks, after)
    evidence = `${instance.name} died when the receiver had byte ${after.webhook_bytes} of its webhooks`
  }
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

/** The last delivery ends with that byte, even if the instance had sent more. Rejects if it doesn't send as many. */
async function killAtByte(
  { name, process }: Instance,
  webhooks: Link,
  { webhook_bytes }: Delivered,
): Promise<void> {
  const killed = process()
  let left = webhook_bytes
  webhooks.onRequest = (chunk, from_port) => {
    if (left === 0 || !hasConnection(killed.pid, { from: from_port, to: webhooks.port })) return chunk
    const passed = chunk.subarray(0, left)
    left -= passed.length
    if (left === 0) killed.signal('SIGKILL')
    return passed
  }
  await within(ANSWERED_MS, killed.exited, `${name} sends ${webhook_bytes} bytes of webhooks`).finally(() => {
    webhooks.onRequest = chunk => chunk
  })
}

/** Null if it had no connection any more, or ended by itself. */
async function killInDrain(
  { name, links, process }: Instance,
  { drain_ms }: Draining,
): Promise<string | null> {
  const killed = process()
  killed.signal('SIGTERM')
  const ended = await Promise.race([killed.exited.then(() => true), delay(drain_ms, false)])
  const { connections } = links.front
  killed.signal('SIGKILL')
  await killed.exited
  return !ended && connections > 0 ? `${name} died in its drain with ${connections} connections` : null
}
