// The embedded database with real processes and folders.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test, vi } from 'vitest'
import { giveTo } from '../../server/database/embedded-folder.ts'
import {
  expectNoted,
  isAlive,
  kill,
  makeDataDir,
  parentOf,
  patient,
  postmasterPid,
  start,
  startChild,
  startNoted,
} from './folder.ts'

const asRoot = process.getuid?.() === 0

test('a second start finds the data of the first', async () => {
  const first = await start()
  await first.sql`create table notes (text text)`
  await first.sql`insert into notes values ('kept')`
  await first.stop()

  const second = await start(first.data_dir)
  expect(await second.sql`select text from notes`).toEqual([{ text: 'kept' }])
})

test('it listens only on a private socket and removes its folder', async () => {
  const server = await start()
  const [settings] = await server.sql`
    select current_setting('listen_addresses') as addresses, current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit`
  expect(settings).toEqual({ addresses: '', fsync: 'on', synchronous_commit: 'on' })
  expect((await stat(server.socket_dir)).mode & 0o777).toBe(0o700)
  expect((await stat(join(server.data_dir, 'postgres'))).mode & 0o777).toBe(0o700)

  await server.stop()
  await expect(access(server.socket_dir)).rejects.toThrow('ENOENT')
})

test('PostgreSQL starts even if the temporary folder has a long path', async () => {
  const folder = join(await makeDataDir(), 'é'.repeat(24))
  await mkdir(folder)
  vi.stubEnv('TMPDIR', folder)
  await start().finally(() => vi.unstubAllEnvs())
})

test('a folder becomes private before it changes its owner, whose new id says that all is done', async () => {
  const folder = await makeDataDir()
  await expect(giveTo(folder, { uid: 2 ** 32, gid: 0 })).rejects.toThrow('uid')
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
})

test('stop does not wait for clients and may be called twice', async () => {
  const server = await start()
  const asleep = server.sql`select pg_sleep(600)`.catch((error: Error) => error)
  await vi.waitFor(async () => {
    expect(
      await server.sql`select from pg_stat_activity where query like '%pg_sleep(600)' and wait_event = 'PgSleep'`,
    ).toHaveLength(1)
  }, patient)
  await Promise.all([server.stop(), server.stop()])
  expect(await asleep).toBeInstanceOf(Error)
})

test('of two concurrent starts on a new folder, one succeeds', async () => {
  const data_dir = await makeDataDir()
  const starts = [start(data_dir), start(data_dir)]
  const results = await Promise.allSettled(starts)
  const rejected = results.filter(result => result.status === 'rejected')
  expect(rejected).toHaveLength(1)
  expect(String(rejected[0]?.reason)).toMatch(`${data_dir} is in use by another instance`)
  const { sql } = await Promise.any(starts)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('kill -9 of the process leaves no orphan, and the next start has every row', async () => {
  const { child, data_dir, socket_dir, postmaster } = await startNoted()
  await kill(child)
  await expectNoted(data_dir)
  expect(isAlive(postmaster)).toBe(false)
  await vi.waitFor(() => expect(access(socket_dir)).rejects.toThrow('ENOENT'), patient)
})

test('PostgreSQL restarts after kill -9 on the same socket without losing data', async () => {
  const { sql, data_dir } = await start()
  await sql`create table notes (number integer)`
  const pid = await postmasterPid(data_dir)
  const written: number[] = []
  for (let number = 0; number < 200; number++) {
    if (number === 100) process.kill(pid, 'SIGKILL')
    await vi.waitFor(async () => {
      await sql`insert into notes values (${number})`
      written.push(number)
    }, patient)
  }
  const rows = await sql<{ number: number }[]>`select distinct number from notes order by number`
  expect(rows.map(row => row.number)).toEqual(written)
  expect(await postmasterPid(data_dir)).not.toBe(pid)
})

test.runIf(process.platform === 'linux')('after a kill of the watchdog PostgreSQL restarts', async () => {
  const { sql, data_dir } = await start()
  const pid = await postmasterPid(data_dir)
  process.kill(await parentOf(pid), 'SIGKILL')
  await vi.waitFor(async () => expect(await postmasterPid(data_dir)).not.toBe(pid), patient)
  await vi.waitFor(async () => expect(await sql`select 1 as one`).toEqual([{ one: 1 }]), patient)
  await vi.waitFor(() => expect(isAlive(pid)).toBe(false), patient)
})

test('a stale postmaster.pid does not prevent the start, even if its pid is in use', async () => {
  const { data_dir, stop } = await start()
  const folder = join(data_dir, 'postgres')
  await stop()
  const { uid, gid } = await stat(folder)
  const stranger = spawn('sleep', ['600'], asRoot ? { uid, gid } : {})
  await once(stranger, 'spawn')
  try {
    const lines = [stranger.pid, folder, 1_700_000_000, 5432, '/nowhere', '', '0 0', 'ready']
    await writeFile(join(folder, 'postmaster.pid'), `${lines.join('\n')}\n`)
    const server = await start(data_dir)
    expect(await server.sql`select 1 as one`).toEqual([{ one: 1 }])
  } finally {
    stranger.kill()
  }
})

test('after a kill during initdb the next start creates the database', async () => {
  const data_dir = await makeDataDir()
  const { child } = startChild(data_dir)
  await vi.waitFor(
    async () => {
      const fresh = (await readdir(data_dir)).find(name => name.startsWith('postgres.new-'))
      expect(await readdir(join(data_dir, fresh ?? ''))).toContain('base')
    },
    { timeout: 20_000, interval: 1 },
  )
  await kill(child)
  expect(await readdir(data_dir)).not.toContain('postgres')

  const { sql } = await start(data_dir)
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('leftovers of a killed initdb are removed', async () => {
  const data_dir = await makeDataDir()
  await mkdir(join(data_dir, 'postgres.new-old'))
  await start(data_dir)
  expect(await readdir(data_dir)).not.toContain('postgres.new-old')
})

test('a folder of another PostgreSQL version fails the start', async () => {
  const data_dir = await makeDataDir()
  await mkdir(join(data_dir, 'postgres'))
  await writeFile(join(data_dir, 'postgres/PG_VERSION'), '9\n')
  await expect(start(data_dir)).rejects.toThrow(/belongs to PostgreSQL 9, .* DATABASE_URL/)
})

test('a folder with other files fails the start and stays unchanged', async () => {
  const data_dir = await makeDataDir()
  await mkdir(join(data_dir, 'postgres'))
  await writeFile(join(data_dir, 'postgres/mine'), 'x')
  await expect(start(data_dir)).rejects.toThrow('No database could be made')
  expect((await readdir(data_dir)).sort()).toEqual(['lock', 'postgres'])
  expect(await readdir(join(data_dir, 'postgres'))).toEqual(['mine'])
})

describe.runIf(asRoot).each([0o755, 0o700])('a start by root in a folder with mode %i', mode => {
  test('PostgreSQL runs as nobody', async () => {
    const data_dir = await makeDataDir(mode)
    const { sql } = await start(data_dir)
    await sql`create table notes (text text)`
    expect((await stat(`/proc/${await postmasterPid(data_dir)}`)).uid).not.toBe(0)
  })

  test('another process of nobody can’t connect, even if the folder once trusted it', async () => {
    const data_dir = await makeDataDir(mode)
    await (await start(data_dir)).stop()
    await writeFile(join(data_dir, 'postgres/pg_hba.conf'), 'local all all trust\n')
    const { sql, socket_dir } = await start(data_dir)
    const { uid, gid } = await stat(join(data_dir, 'postgres'))
    expect(uid).not.toBe(0)
    expect(await connectAs({ uid, gid }, socket_dir)).toMatch(/(peer|Peer) authentication failed/)
    expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  })
})

/** PostgreSQL's response to a client of another user. The bytes are a startup message. */
async function connectAs(user: { uid: number; gid: number }, socket_dir: string): Promise<string> {
  const script = `
    const text = Buffer.from('user\\0app\\0database\\0postgres\\0\\0')
    const message = Buffer.alloc(8 + text.length)
    message.writeInt32BE(message.length, 0)
    message.writeInt32BE(196608, 4)
    text.copy(message, 8)
    const socket = require('node:net').connect('${socket_dir}/.s.PGSQL.5432', () => socket.write(message))
    socket.once('data', answer => { console.log(answer.toString('latin1')); socket.destroy() })
    socket.once('error', error => console.log(error.message))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { ...user, cwd: '/' })
  return stdout
}
