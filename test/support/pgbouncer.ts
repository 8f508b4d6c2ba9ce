// pgbouncer in front of the tests' PostgreSQL.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { postgresAt, startLink } from '../proof/net/link.ts'
import { afterTest } from './after-test.ts'
import type { TestDatabase } from './database.ts'
import { freePort } from './ports.ts'
import { until } from './viewer.ts'

export const hasPgbouncer = spawnSync('pgbouncer', ['--version']).status === 0
/** It refuses to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Returns the URL of the database behind it. It ends after the test. */
export async function runPgbouncer({ target }: TestDatabase, pool_mode: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-pgbouncer-'))
  // PostgreSQL's socket lets only this process's user in.
  const link = await startLink(postgresAt(target.socket_dir))
  const port = await freePort()
  const path = join(folder, 'pgbouncer.ini')
  const settings = [
    '[databases]',
    `${target.database} = host=127.0.0.1 port=${link.port} user=app`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    `pool_mode = ${pool_mode}`,
    'default_pool_size = 30',
  ]
  await writeFile(path, settings.join('\n'))
  await chmod(folder, 0o755)
  const child = spawn('pgbouncer', [path], { ...NOBODY, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', text => {
    said += text
  })
  afterTest(async () => {
    if (child.exitCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    await link.end()
    await rm(folder, { recursive: true, force: true })
  })
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`pgbouncer ended with ${child.exitCode}:\n${said}`)
    return accepts(port)
  }, 'pgbouncer accepts connections')
  return `postgres://app@127.0.0.1:${port}/${target.database}`
}

function accepts(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
