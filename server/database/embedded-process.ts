// Runs one PostgreSQL under a watchdog: a shell that stops it when our end of a pipe closes. Closing the pipe
// is the clean stop, and what happens by itself when this process is killed. Detached: signals to our
// process group (Ctrl-C) do not reach the database, we stop it last.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { connect } from './connect.ts'
import { DatabaseError } from './database-error.ts'
import type { Binaries } from './embedded-binaries.ts'
import { childEnvironment } from './embedded-folder.ts'
import type { RunAs } from './embedded-user.ts'

export type Log = Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>

export type ServerProcess = {
  /** Resolves when it answers queries, rejects when it ends before that. */
  ready: Promise<void>
  /** Resolves, with how it ended, once the server and its watchdog are gone. */
  exited: Promise<string>
  /** Asks for a fast shutdown. */
  close(): void
}

// SIGINT is the fast shutdown. SIGTERM beside it counts only before the server listens to signals, when a
// SIGINT is lost. The socket's folder goes too if we asked (or died), and stays for a restart if not.
const watchdog = `
exec 3<&0
"$0" "$@" </dev/null 3<&- & p=$!
(read x <&3; kill -INT $p; kill -TERM $p; exit 0) 2>/dev/null & w=$!
wait $p; r=$?
kill $w 2>/dev/null
wait $w && rm -rf "$SOCKET_DIR"
exit $r`

const settings = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: '64MB',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'replica',
  max_wal_size: '512MB',
  max_wal_senders: '0',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  // Neither statements nor values reach the log.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
}

export type Launch = { binaries: Binaries; run_as: RunAs; folder: string; socket_dir: string; log: Log }

export function launch({ binaries, run_as, folder, socket_dir, log }: Launch): ServerProcess {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const command = [...run_as.prefix, binaries.postgres, '-D', folder, '-k', socket_dir, ...flags]
  const child = spawn('sh', ['-c', watchdog, ...command], {
    ...run_as.ids,
    cwd: '/',
    env: { ...childEnvironment, SOCKET_DIR: socket_dir },
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })

  const lastLines: string[] = []
  createInterface({ input: child.stderr }).on('line', line => {
    log.debug({ postgres: line }, 'PostgreSQL says')
    lastLines.push(line.replace(/^.*? UTC \[\d+\] /, ''))
    if (lastLines.length > 20) lastLines.shift()
  })
  // The watchdog may be gone before the pipe is closed; `exited` tells.
  child.stdin.on('error', () => {})

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
  return { ready, exited, close: () => child.stdin.destroy() }
}

async function untilAnswers(socket_dir: string, exited: Promise<string>): Promise<void> {
  const ended = exited.then(() => 'ended' as const)
  for (;;) {
    const sql = connect({ socket_dir }, { max: 1 })
    const answer = await Promise.race([
      ended,
      sql`select 1`.then(
        () => 'ready' as const,
        () => 'not yet' as const,
      ),
    ])
    await sql.end({ timeout: 0 })
    if (answer !== 'not yet') return
    await delay(10)
  }
}
