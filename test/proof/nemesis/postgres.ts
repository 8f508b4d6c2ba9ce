// SIGKILL of PostgreSQL's main process, or of one of its backends, after which it restarts by itself; SIGSTOP of all its
// processes.
import { holdsWithin, until } from '../wait.ts'
import { DATABASE } from './lost-history.ts'
import type { Begin } from './nemesis.ts'
import { pauseAll } from './pause.ts'

const START_MS = 20_000

export const postgres: Begin<'postgres'> = async ({ postgres: { current }, instances }, { how }) => {
  const node = current()
  if (how === 'paused') {
    const links = instances.map(({ links }) => links.postgres)
    return pauseAll('PostgreSQL', node.process(), links)
  }
  const backends = await node.admin<{ pid: number }[]>`
    select pid from pg_stat_activity where datname = ${DATABASE} order by query_start desc`
  if (how === 'killed') {
    const killed = node.process()
    killed.signal('SIGKILL')
    await killed.exited
    return {
      // Its backends end when they notice, and until then it doesn't start.
      end: () => until(() => startsAgain(node.restart), 'PostgreSQL starts again', START_MS),
      evidence: () => (backends.length > 0 ? `PostgreSQL died with ${backends.length} sessions` : null),
    }
  }
  const [backend] = backends
  // A pid of the database itself, so no other program's.
  if (backend) process.kill(backend.pid, 'SIGKILL')
  const felt = await holdsWithin(START_MS, () =>
    /terminated by signal 9[\s\S]*ready to accept connections/.test(node.process().output()),
  )
  return {
    end: async () => {},
    evidence: () => (felt ? 'PostgreSQL ended all sessions, because one backend was killed' : null),
  }
}

const startsAgain = (start: () => Promise<void>): Promise<boolean> =>
  start().then(
    () => true,
    () => false,
  )
