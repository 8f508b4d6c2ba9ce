// Data folders, and child processes that run an embedded database.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { expect, onTestFinished } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { migrate } from '../../server/database/migrate.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url))
export const log = pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' })

export async function makeDataDir(mode = 0o755): Promise<string> {
  const data_dir = await mkdtemp(join(tmpdir(), 'channel-feed-test-'))
  await chmod(data_dir, mode)
  onTestFinished(() => rm(data_dir, { recursive: true, force: true, maxRetries: 5 }))
  return data_dir
}

/** Applies our migrations that come before this number. */
export async function migrateBefore(sql: Sql, number: string): Promise<void> {
  const migrations = join(root, 'migrations')
  const older = await mkdtemp(join(tmpdir(), 'channel-feed-migrations-'))
  for (const name of (await readdir(migrations)).filter(name => name < number))
    await copyFile(join(migrations, name), join(older, name))
  await migrate(sql, older)
  await rm(older, { recursive: true })
}

/** Starts a database in a new folder, or in `data_dir`. */
export async function start(data_dir?: string) {
  data_dir ??= await makeDataDir()
  const server = await startEmbedded({ data_dir, log, package: process.env.TEST_POSTGRES_PACKAGE })
  const sql = connect(server)
  async function stop(): Promise<void> {
    await sql.end({ timeout: 1 })
    await server.stop()
  }
  onTestFinished(stop)
  return { sql, data_dir, socket_dir: server.socket_dir, stop }
}

type ChildOptions = { prefix?: string[]; env?: NodeJS.ProcessEnv }

/** A child process that runs child.ts; `said` is the line that it prints. */
export function startChild(data_dir: string, { prefix = [], env }: ChildOptions = {}) {
  const script = fileURLToPath(new URL('./child.ts', import.meta.url))
  const [file = '', ...args] = [...prefix, process.execPath, '--import', 'tsx', script, data_dir]
  const child = spawn(file, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => endChild(child))
  const line = once(createInterface({ input: child.stdout }), 'line').then(([text]) => String(text))
  const end = once(child, 'close').then(([code]): never => {
    throw new Error(`${file} ended with ${code} and printed no line`)
  })
  const said: Promise<Said> = Promise.race([line, end]).then(text => JSON.parse(text))
  // Not every test waits for it: some kill the child first.
  said.catch(() => {})
  return { child, said }
}
type Said = { socket_dir: string; error?: never } | { error: string; socket_dir?: never }

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.stdin?.end()
  await once(child, 'exit')
}

/** A child with a row in the database of a new folder, and its processes. */
export async function startNoted() {
  const data_dir = await makeDataDir()
  const { child, said } = startChild(data_dir)
  const { socket_dir = '' } = await said
  const sql = connect({ socket_dir })
  await sql`create table notes (text text)`
  await sql`insert into notes values ('acknowledged')`
  await sql.end()
  const postmaster = await postmasterPid(data_dir)
  const pids = { service: child.pid ?? 0, watchdog: await parentOf(postmaster), postmaster }
  return { child, data_dir, socket_dir, ...pids }
}

export async function expectNoted(data_dir: string): Promise<void> {
  const { sql, stop } = await start(data_dir)
  expect(await sql`select text from notes`).toEqual([{ text: 'acknowledged' }])
  await stop()
}

/** For `vi.waitFor`. */
export const patient = { timeout: 20_000, interval: 20 }

export async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

export async function postmasterPid(data_dir: string): Promise<number> {
  return Number((await readFile(join(data_dir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
}

export async function parentOf(pid: number): Promise<number> {
  return Number(/^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1])
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
