// SIGSTOP of an instance, or of another process with all below it, and SIGCONT at the end.
import { readFileSync } from 'node:fs'
import { descendants } from '../../bench/processes.ts'
import type { Child } from '../cluster/supervisor.ts'
import type { Link } from '../net/link.ts'
import { type Begin, instanceOf, type Ongoing } from './nemesis.ts'

export const pause: Begin<'pause'> = async (stage, fault) => {
  const { name, process, links } = instanceOf(stage, fault)
  return pauseAll(name, process(), [links.front])
}

/** `links`: to the process, or from it. */
export function pauseAll(name: string, paused: Child, links: Link[]): Ongoing {
  paused.signal('SIGSTOP')
  // A stopped process starts no others.
  const below = descendants(paused.pid)
  for (const pid of below) process.kill(pid, 'SIGSTOP')
  const all = [paused.pid, ...below]
  let stopped = false
  let connections = 0
  return {
    async end() {
      stopped = all.every(isStopped)
      connections = links.reduce((sum, link) => sum + link.connections, 0)
      for (const pid of below) process.kill(pid, 'SIGCONT')
      paused.signal('SIGCONT')
    },
    evidence: () =>
      stopped && connections > 0
        ? `${name} stopped: ${all.length} processes with ${connections} connections`
        : null,
  }
}

/** As in /proc: T is stopped, and Z has ended before. */
function isStopped(pid: number): boolean {
  try {
    return /\) [TZ] [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
