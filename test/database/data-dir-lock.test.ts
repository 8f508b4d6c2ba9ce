// One instance per data folder, across pid and ipc namespaces and however its processes end. Needs Linux, and root or
// another user that may unshare namespaces; fails elsewhere.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readlink, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { lockDataDir, tryLockDataDir } from '../../server/database/data-dir-lock.ts'
import { descendants } from '../bench/processes.ts'
import { hasContainers, inContainer } from '../support/programs.ts'
import { expectNoted, isAlive, kill, makeDataDir, patient, start, startChild, startNoted } from './folder.ts'

function killHard(pid: number): void {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL')
}

/** Null if the process has ended. */
async function holdsLock(pid: number, data_dir: string): Promise<boolean | null> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => null)
  const links = fds?.map(fd => readlink(`/proc/${pid}/fd/${fd}`).catch(() => ''))
  return links ? (await Promise.all(links)).includes(join(data_dir, 'lock')) : null
}

test.runIf(hasContainers)(
  'a second instance in another pid and ipc namespace fails with the folder’s name',
  async () => {
    const data_dir = await makeDataDir()
    expect(await startChild(data_dir, { prefix: inContainer }).said).toHaveProperty('socket_dir')
    const inUse = { error: expect.stringContaining(`${data_dir} is in use by another instance`) }
    expect(await startChild(data_dir, { prefix: inContainer }).said).toEqual(inUse)
    expect(await startChild(data_dir).said).toEqual(inUse)
  },
)

const NAMES = ['service', 'watchdog', 'postmaster'] as const

const orders = NAMES.flatMap(a => NAMES.flatMap(b => NAMES.map(c => [a, b, c] as const)))
test.each(orders.filter(order => new Set(order).size === 3))(
  'kill -9 of %s, %s and %s leaves a folder that starts again',
  async (...order) => {
    const pids = await startNoted()
    for (const name of order) killHard(pids[name])
    await expectNoted(pids.data_dir)
  },
)

test.each(NAMES)(
  'kill -9 of the %s alone, and later of the service, leaves a folder that starts again',
  async name => {
    const { child, data_dir, ...pids } = await startNoted()
    killHard(pids[name])
    await vi.waitFor(() => expect(isAlive(pids.postmaster)).toBe(false), patient)
    await kill(child)
    await expectNoted(data_dir)
  },
)

test('PostgreSQL stops if all its watchers are killed at once', async () => {
  const { child, data_dir, service, postmaster } = await startNoted()
  const shells = descendants(service, 'sh')
  expect(shells.length).toBeGreaterThan(1)
  for (const pid of [...shells, service]) killHard(pid)
  await once(child, 'exit')
  await vi.waitFor(() => expect(isAlive(postmaster)).toBe(false), patient)
  await expectNoted(data_dir)
})

test('the folder stays locked while PostgreSQL outlives its service', async () => {
  const { child, data_dir, postmaster } = await startNoted()
  process.kill(postmaster, 'SIGSTOP')
  await kill(child)
  await expect(lockDataDir(data_dir)).rejects.toThrow('in use by another instance')
  process.kill(postmaster, 'SIGCONT')
  await expectNoted(data_dir)
})

test('every PostgreSQL process holds the lock, and no other child of the service', async () => {
  const before = new Set(descendants(process.pid, 'postgres'))
  const { sql, data_dir } = await start()
  await sql`select 1`
  const processes = descendants(process.pid, 'postgres').filter(pid => !before.has(pid))
  const held = await Promise.all(processes.map(pid => holdsLock(pid, data_dir)))
  expect(held).not.toContain(false)
  // PostgreSQL also has workers that end soon.
  expect(held.filter(holds => holds).length).toBeGreaterThan(3)

  const stranger = spawn('sleep', ['600'])
  await once(stranger, 'spawn')
  expect(await holdsLock(stranger.pid ?? 0, data_dir)).toBe(false)
  stranger.kill()
})

test('a released lock can be taken again', async () => {
  const data_dir = await makeDataDir()
  const lock = tryLockDataDir(data_dir)
  expect(tryLockDataDir(data_dir)).toBeNull()
  lock?.release()
  lock?.release()
  const next = tryLockDataDir(data_dir)
  expect(next).not.toBeNull()
  next?.release()
})

test('perl takes the lock if flock is missing; without both, the start says what to install', async () => {
  const data_dir = await makeDataDir()
  const bin = await makeDataDir()
  const startWithBin = () => startChild(data_dir, { env: { PATH: bin } }).said
  expect((await startWithBin()).error).toMatch(/cannot be locked without flock \(util-linux\) or perl/)

  for (const name of ['sh', 'rm', 'perl']) await symlink(join('/usr/bin', name), join(bin, name))
  expect(await startWithBin()).toHaveProperty('socket_dir')
  expect(tryLockDataDir(data_dir)).toBeNull()
  expect((await startWithBin()).error).toMatch('in use by another instance')
})
