// SIGSTOP of an instance, and SIGCONT at the end.
import { readFileSync } from 'node:fs'
import { type Begin, instanceOf } from './nemesis.ts'

export const pause: Begin<'pause'> = async (cluster, fault) => {
  const instance = instanceOf(cluster, fault)
  const paused = instance.process()
  paused.signal('SIGSTOP')
  let stopped = false
  return {
    async end() {
      stopped = stateOf(paused.pid) === 'T'
      paused.signal('SIGCONT')
    },
    evidence: () => {
      const connections = instance.links.front.connections
      return stopped && connections > 0 ? `${instance.name} stopped with ${connections} connections` : null
    },
  }
}

/** As in /proc: T is stopped. */
function stateOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.charAt(0) ?? ''
  } catch {
    return ''
  }
}
