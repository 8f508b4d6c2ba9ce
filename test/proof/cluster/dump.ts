// What every process is doing when a run takes too long: reports of the Node processes, sessions and locks of PostgreSQL,
// and the ends of the logs.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { holdsWithin, within } from '../wait.ts'
import type { Postgres } from './postgres.ts'
import type { Supervisor } from './supervisor.ts'

const LOG_LINES = 20
const QUERY_MS = 3_000
/** As Node prints it. */
const WRITTEN = 'Node.js report completed'
const REPORTS_MS = 5_000

/** Writes to the run's folder. Never fails. */
export async function dumpState(supervisor: Supervisor, postgres: Postgres | undefined): Promise<void> {
  const children = supervisor.children()
  const nodes = children.filter(({ node }) => node)
  for (const child of nodes) {
    // A stopped process writes nothing.
    child.signal('SIGCONT')
    child.signal('SIGUSR2')
  }
  await holdsWithin(REPORTS_MS, () => nodes.every(({ output }) => output().includes(WRITTEN)))
  const sessions = postgres && (await within(QUERY_MS, readSessions(postgres), 'sessions').catch(String))
  await writeFile(join(supervisor.folder, 'sessions.txt'), JSON.stringify(sessions ?? null, null, 1))
  const logs = children.map(
    child => `== ${child.name}\n${child.output().split('\n').slice(-LOG_LINES).join('\n')}\n`,
  )
  await writeFile(join(supervisor.folder, 'last-lines.txt'), logs.join('\n'))
}

const readSessions = ({ primary: { admin } }: Postgres) => admin`
  select pid, state, wait_event_type, wait_event, now() - xact_start as in_transaction, pg_blocking_pids(pid) as blocked_by, query
  from pg_stat_activity where backend_type = 'client backend'`
