// The service's embedded PostgreSQL with the same settings, but each flush to disk takes longer (slow-flush.c,
// compiled here and preloaded), and it listens on a loopback port. Needs a C compiler.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { connect } from '../../server/database/connect.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { freePort } from '../support/ports.ts'
import { descendants } from './processes.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

export async function startSlowDatabase(folder: string, milliseconds: number) {
  const shim = join(folder, 'slow-flush.so')
  const source = fileURLToPath(new URL('slow-flush.c', import.meta.url))
  await promisify(execFile)('cc', ['-shared', '-fPIC', '-O2', '-o', shim, source, '-ldl'])
  await chmod(shim, 0o755)

  const { command, uid, gid } = await learnCommand(folder)
  const port = await freePort()
  const [file = '', ...args] = command
  // Under root, the service's own hba_file lets only the service connect.
  const hba_file = join(folder, 'slow/postgres/pg_hba.conf')
  const own = ['listen_addresses=127.0.0.1', `port=${port}`, `hba_file=${hba_file}`].flatMap(set => [
    '-c',
    set,
  ])
  const child = spawn(file, [...args, '-k', '', ...own], {
    uid,
    gid,
    cwd: '/',
    env: { LC_ALL: 'C', LD_PRELOAD: shim, SLOW_FLUSH_MS: String(milliseconds) },
    stdio: 'ignore',
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const pid = child.pid ?? 0
  const url = `postgres://app@127.0.0.1:${port}/postgres`
  await untilAnswers(url)
  if (!(await readFile(`/proc/${pid}/maps`, 'utf8')).includes(shim))
    throw new Error('slow-flush.so was not loaded')
  return {
    url,
    async stop() {
      const exited = once(child, 'exit')
      child.kill('SIGINT')
      await exited
      process.off('exit', kill)
    },
  }
}

/** Lets the service's code create the folder and choose settings and user, and reads them from the process. */
async function learnCommand(folder: string): Promise<{ command: string[]; uid: number; gid: number }> {
  const data_dir = join(folder, 'slow')
  await mkdir(data_dir)
  await chmod(data_dir, 0o711)
  const before = new Set(descendants(process.pid, 'postgres'))
  const embedded = await startEmbedded({ data_dir, log: silent })
  const pids = descendants(process.pid, 'postgres').filter(pid => !before.has(pid))
  const pid = Math.min(...pids)
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').filter(Boolean)
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  await embedded.stop()
  const id = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
  return { command, uid: id('Uid'), gid: id('Gid') }
}

async function untilAnswers(url: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    const sql = connect({ url }, { max: 1 })
    try {
      await sql`select 1`
      return
    } catch (error) {
      if (tries > 200) throw error
      await delay(50)
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
}
