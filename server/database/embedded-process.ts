// Runs PostgreSQL under a watchdog: a shell that stops it when our end of a pipe closes, on purpose or because this process
// was killed. Both inherit the lock on DATA_DIR. They are detached, so that Ctrl-C doesn't stop the database, which must
// stop last.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { DataDirLock } from './data-dir-lock.ts'
import { DatabaseError } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import { childEnvironment, readPidFile } from './embedded-folder.ts'
import type { RunAs } from './embedded-user.ts'
import { isDatabaseReachable } from './probe.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export type ServerProcess = {
  /** Resolves when it accepts queries, rejects if it ends before. */
  ready: Promise<void>
  /** Resolves with the exit status or signal once the server and its watchdog have ended. */
  exited: Promise<string>
  close(): void
}

// Descriptor 3 is the lock, 4 the pipe. A line on the pipe means that PostgreSQL has ended; the end of the pipe means stop.
// There are two readers, in case one is killed. SIGINT is the fast shutdown; SIGTERM works before PostgreSQL handles
// SIGINT. Without a line nobody will restart PostgreSQL, so the socket's folder is removed.
const watchdog = `
exec 4<&0
"$0" "$@" </dev/null 4<&- & p=$!
exec 2>/dev/null
guard() { read -r line <&4 && return; kill -INT $p; kill -TERM $p; false; }
guard 3<&- &
guard; told=$?
wait $p; r=$?
[ $told = 0 ] || rm -rf "$SOCKET_DIR"
exit $r`

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_size: '512MB',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Keeps statements and values out of the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

export type Launch = {
  binaries: Binaries
  run_as: RunAs
  folder: string
  socket_dir: string
  access: Record<string, string>
  lock: DataDirLock
  log: Log
  max_connections?: number
}

export function launch(options: Launch): ServerProcess {
  const { binaries, run_as, folder, socket_dir, access, lock, log, max_connections = 100 } = options
  const { pid } = readPidFile(folder)
  const values = Object.entries({ ...settings, max_connections, ...access })
  const flags = values.flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...run_as.prefix, binaries.postgres, '-D', folder, '-k', socket_dir, ...flags]
  const child = spawn('sh', ['-c', watchdog, ...command], {
    ...run_as.ids,
    cwd: '/',
    env: {
      ...childEnvironment,
      SOCKET_DIR: socket_dir,
      // We hold the lock, so the pid in an old postmaster.pid belongs to another program now. PostgreSQL ignores its
      // grandparent's pid, and still checks for backends that use the folder's shared memory.
      PG_GRANDPARENT_PID: pid,
    },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe', lock.fd],
  })

  const { stdin, stderr } = child
  if (!stdin || !stderr) throw new TypeError('the watchdog has pipes')

  const lastLines: string[] = []
  createInterface({ input: stderr }).on('line', line => {
    log.debug({ postgres: line }, 'PostgreSQL output')
    lastLines.push(line.replace(/^.*? UTC \[\d+\] /, ''))
    if (lastLines.length > 20) lastLines.shift()
  })
  // Only PostgreSQL's processes write to stderr, so it ends with the last of them.
  stderr.once('end', () => stdin.end('\n\n'))
  // The watchdog may end before the pipe is closed; `exited` reports that.
  stdin.on('error', () => {})
  child.once('exit', (_, signal) => {
    if (signal) stopGroup(child.pid)
  })

  const exited = new Promise<string>(resolve => {
    child.once('error', error => resolve(error.message))
    child.once('close', (code, signal) => resolve(signal ?? `status ${code}`))
  })
  const ready = Promise.race([
    untilAnswers(socket_dir, exited),
    exited.then(end => {
      throw new DatabaseError(`PostgreSQL did not start (${end}): ${lastLines.join(' / ')}`)
    }),
  ])
  return { ready, exited, close: () => stdin.destroy() }
}

/** For a killed watchdog: PostgreSQL is still in its process group. */
function stopGroup(watchdog_pid: number | undefined): void {
  try {
    if (watchdog_pid !== undefined) process.kill(-watchdog_pid, 'SIGINT')
  } catch {
    // PostgreSQL has ended already.
  }
}

async function untilAnswers(socket_dir: string, exited: Promise<string>): Promise<void> {
  const ended = exited.then(() => true)
  while (!(await Promise.race([ended, isDatabaseReachable(socket_dir)]))) await delay(10)
}
