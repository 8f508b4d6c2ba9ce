// The embedded database: a real PostgreSQL of our own under data_dir, on a private unix socket, started,
// kept up and stopped with this process. Never listens on the network, never changes the machine.
import { mkdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from './database-error.ts'
import { findBinaries } from './embedded-binaries.ts'
import { makeSocketDir, prepareFolder } from './embedded-folder.ts'
import { type Launch, type Log, launch, type ServerProcess } from './embedded-process.ts'
import { findRunning, removeStalePidFile } from './embedded-running.ts'
import { chooseUser } from './embedded-user.ts'

export type EmbeddedOptions = {
  data_dir: string
  log: Log
  /** The npm package with the binaries; by default the one for this platform. */
  package?: string
}
export type Embedded = { socket_dir: string; stop(): Promise<void> }

const handoverTime = 3_000
const shutdownTime = 60_000
const longestPause = 5_000
const healthyAfter = 2_000

export async function startEmbedded({ data_dir, log, package: name }: EmbeddedOptions): Promise<Embedded> {
  const root = resolve(data_dir)
  const folder = join(root, 'postgres')
  const binaries = await findBinaries(name)
  await mkdir(root, { recursive: true })
  await untilFree(folder)
  const run_as = await chooseUser(binaries, root, folder)
  await prepareFolder(folder, binaries, run_as)
  const socket_dir = await makeSocketDir(run_as)
  try {
    return { socket_dir, stop: await keepUp({ binaries, run_as, folder, socket_dir, log }) }
  } catch (error) {
    await rm(socket_dir, { recursive: true, force: true })
    throw error
  }
}

/**
 * Waits while the server of a killed process goes down, and refuses where one stays.
 * A second start within the same moment is refused by PostgreSQL itself.
 */
async function untilFree(folder: string): Promise<void> {
  const begin = performance.now()
  for (;;) {
    const running = await findRunning(folder)
    if (running === undefined) return
    const patience = running.status === 'stopping' ? shutdownTime : handoverTime
    if (performance.now() - begin > patience) throw inUse(folder, running.pid)
    await delay(20)
  }
}

function inUse(folder: string, pid?: number): DatabaseError {
  const who = pid === undefined ? '' : ` (PostgreSQL is process ${pid})`
  return new DatabaseError(
    `${folder} is in use by another instance${who}: stop that one, or set DATA_DIR to another folder`,
  )
}

/** Starts the server, and again whenever it ends by itself. Returns the function that stops it. */
async function keepUp(options: Launch): Promise<() => Promise<void>> {
  const { folder, socket_dir, log } = options
  const stopping = new AbortController()
  let server = await first(options)

  const supervisor = supervise()
  return async () => {
    stopping.abort()
    server.close()
    await supervisor
    await rm(socket_dir, { recursive: true, force: true })
  }

  async function supervise(): Promise<void> {
    let failures = 0
    for (;;) {
      const begin = performance.now()
      const end = await server.ready.then(
        () => server.exited,
        (error: Error) => error.message,
      )
      if (stopping.signal.aborted) return void (await server.exited)
      failures = performance.now() - begin > healthyAfter ? 0 : failures + 1
      log.error({ end, failures }, 'PostgreSQL ended by itself, starting it again')
      const pause = failures < 2 ? 0 : Math.min(50 * 2 ** failures, longestPause)
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {})
      await endOrphan(folder)
      if (stopping.signal.aborted) return
      server = launch(options)
      server.ready.then(() => log.info('PostgreSQL answers again')).catch(() => {})
    }
  }
}

/** Right after a crash of everything, backends of the last run may hold on for a moment. */
async function first(options: Launch): Promise<ServerProcess> {
  const begin = performance.now()
  for (;;) {
    await removeStalePidFile(options.folder)
    const server = launch(options)
    try {
      await server.ready
      return server
    } catch (error) {
      const message = error instanceof Error ? error.message : ''
      if (/lock file "postmaster.pid"/.test(message)) throw inUse(options.folder)
      if (!/pre-existing shared memory/.test(message)) throw error
      if (performance.now() - begin > handoverTime) throw inUse(options.folder)
      await delay(50)
    }
  }
}

/** The watchdog was killed and its server lives on, out of our hands: ask it to go. */
async function endOrphan(folder: string): Promise<void> {
  for (;;) {
    const running = await findRunning(folder)
    if (running === undefined) break
    try {
      if (running.status !== 'stopping') process.kill(running.pid, 'SIGINT')
    } catch {
      // Gone since we looked: the next look tells.
    }
    await delay(20)
  }
  await removeStalePidFile(folder)
}
