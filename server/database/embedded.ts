// The embedded database: a real PostgreSQL in data_dir on a private unix socket, started, restarted and stopped with
// this process. It never listens on the network.
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { inUse, lockDataDir } from './data-dir-lock.ts'
import { findBinaries } from './embedded-binaries.ts'
import { makeSocketDir, prepareFolder } from './embedded-folder.ts'
import { type Launch, type Log, launch } from './embedded-process.ts'
import { chooseUser, type RunAs } from './embedded-user.ts'

export type EmbeddedOptions = {
  data_dir: string
  log: Log
  /** The npm package with the binaries; by default the one for this platform. */
  package?: string
  /** 100 by default. */
  max_connections?: number
}
export type Embedded = { socket_dir: string; stop(): Promise<void> }

const longestPause = 5_000
const healthyAfter = 2_000

export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { data_dir, log, package: name, max_connections } = options
  forgetOtherServers()
  const root = resolve(data_dir)
  const folder = join(root, 'postgres')
  const binaries = await findBinaries(name)
  await mkdir(root, { recursive: true })
  const lock = await lockDataDir(root)
  try {
    const run_as = await chooseUser(binaries, root, folder)
    await prepareFolder(folder, binaries, run_as)
    const access = await writeAccessRules(root, run_as)
    const socket_dir = await makeSocketDir(run_as)
    const stop = await keepUp({ binaries, run_as, folder, socket_dir, access, lock, log, max_connections })
    return { socket_dir, stop: () => stop().finally(lock.release) }
  } catch (error) {
    lock.release()
    // Version 0.1 of this service uses the folder; it takes no lock.
    if (error instanceof Error && /pre-existing shared memory/.test(error.message)) throw inUse(root)
    throw error
  }
}

/** The driver takes defaults from PG… variables. They are about other servers, and one of them would make it wait for ever. */
function forgetOtherServers(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name]
}

/** Starts the server and restarts it when it crashes. Returns the function that stops it. */
async function keepUp(options: Launch): Promise<() => Promise<void>> {
  const { socket_dir, log } = options
  const stopping = new AbortController()
  let server = launch(options)
  try {
    await server.ready
  } catch (error) {
    await removeSocketDir()
    throw error
  }

  const supervisor = supervise()
  return async () => {
    stopping.abort()
    server.close()
    await supervisor
    await removeSocketDir()
  }

  function removeSocketDir(): Promise<void> {
    return rm(socket_dir, { recursive: true, force: true })
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
      log.error({ end, failures }, 'PostgreSQL ended unexpectedly, restarting it')
      const pause = failures < 2 ? 0 : Math.min(50 * 2 ** failures, longestPause)
      await delay(pause, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      server = launch(options)
      server.ready.then(() => log.info('PostgreSQL is ready again')).catch(() => {})
    }
  }
}

/**
 * Settings that decide who may connect. For an ordinary user, the socket's private folder keeps others out. For root,
 * PostgreSQL runs as `nobody`, like other programs may: then only root may connect, checked by the kernel (peer
 * authentication). The rules are written at each start, because folders of older releases lack them.
 */
async function writeAccessRules(data_dir: string, { owner }: RunAs): Promise<Record<string, string>> {
  if (!owner) return {}
  const [hba_file, ident_file] = [join(data_dir, 'pg_hba.conf'), join(data_dir, 'pg_ident.conf')]
  for (const [file, text] of [
    [hba_file, 'local all app peer map=service\n'],
    [ident_file, `service "${userInfo().username}" app\n`],
  ] as const) {
    await writeFile(`${file}.new`, text)
    // PostgreSQL's user must read it, whatever root's umask is.
    await chmod(`${file}.new`, 0o644)
    await rename(`${file}.new`, file)
  }
  return { hba_file, ident_file }
}
