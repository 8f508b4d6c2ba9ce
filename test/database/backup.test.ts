// Backup and restore of a running and of a stopped embedded database.
import { execFile } from 'node:child_process'
import { cp, open, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { createBackup } from '../../server/database/backup-create.ts'
import { restoreBackup } from '../../server/database/backup-restore.ts'
import { loadSigningKey } from '../../server/secrets.ts'
import { hasContainers, inContainer } from '../support/programs.ts'
import { kill, log, makeDataDir, root, start, startChild } from './folder.ts'

const backUp = (data_dir: string, file: string) =>
  createBackup({ data_dir, file, log, package: process.env.TEST_POSTGRES_PACKAGE })

/** A running database with a table of notes, and the path for a backup of it. */
async function makeNotes() {
  const server = await start()
  await server.sql`create table notes (number bigserial primary key, text text default repeat('x', 500))`
  await server.sql`insert into notes select from generate_series(1, 1000)`
  return { ...server, file: join(await makeDataDir(), 'backup.tar.gz') }
}

test('a backup of a running service has everything acknowledged before it began, and the private key', async () => {
  const { sql, data_dir, file } = await makeNotes()
  const { kid } = await loadSigningKey(data_dir)
  const secrets = await readFile(join(data_dir, 'secrets.json'), 'utf8')

  let acknowledged = 1000
  const stopping = new AbortController()
  const writers = Array.from({ length: 4 }, async () => {
    while (!stopping.signal.aborted) {
      await sql`insert into notes default values`
      acknowledged++
    }
  })
  await vi.waitFor(() => expect(acknowledged).toBeGreaterThan(1200), { timeout: 40_000 })
  const before = acknowledged
  await backUp(data_dir, file)
  stopping.abort()
  await Promise.all(writers)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  const target = await makeDataDir()
  await restoreBackup({ data_dir: target, file, force: false })
  expect(await readdir(join(target, 'postgres'))).toContain('restored')
  expect(await readFile(join(target, 'secrets.json'), 'utf8')).toBe(secrets)
  expect((await loadSigningKey(target)).kid).toBe(kid)
  expect((await stat(join(target, 'secrets.json'))).mode & 0o777).toBe(0o600)
  const restored = await start(target)
  const [row] = await restored.sql<{ count: number; last: number }[]>`
    select count(*) as count, max(number) as last from notes`
  expect(row?.count).toBeGreaterThanOrEqual(before)
  expect(row?.count).toBeLessThanOrEqual(acknowledged)
  await restored.sql`insert into notes default values`
})

test('a stopped database is backed up and is stopped again afterwards', async () => {
  const { data_dir, file, stop } = await makeNotes()
  await stop()
  await backUp(data_dir, file)
  expect(await readdir(join(data_dir, 'postgres'))).not.toContain('postmaster.pid')

  const target = await makeDataDir()
  await restoreBackup({ data_dir: target, file, force: false })
  const restored = await start(target)
  expect(await restored.sql`select count(*) as count from notes`).toEqual([{ count: 1000 }])
})

test('restore declines a running service, and a folder with data without --force', async () => {
  const { sql, stop, data_dir, file } = await makeNotes()
  await backUp(data_dir, file)
  await expect(restoreBackup({ data_dir, file, force: true })).rejects.toThrow('stop it')
  await sql`insert into notes default values`
  await stop()

  await expect(restoreBackup({ data_dir, file, force: false })).rejects.toThrow('--force')
  const aside = await restoreBackup({ data_dir, file, force: true })
  expect(await readdir(join(aside ?? '', 'postgres'))).toContain('PG_VERSION')
  const restored = await start(data_dir)
  expect(await restored.sql`select count(*) as count from notes`).toEqual([{ count: 1000 }])
})

test.runIf(hasContainers)(
  'a database in use by another container is neither backed up nor replaced',
  async () => {
    const data_dir = await makeDataDir()
    const file = join(await makeDataDir(), 'backup.tar.gz')
    // Its socket is unreachable too, because the container has its own /tmp.
    const script = 'mount -t tmpfs tmp /run && export TMPDIR=/run && exec "$@"'
    const prefix = [...inContainer, 'unshare', '--mount', 'sh', '-c', script, 'sh']
    const { child, said } = startChild(data_dir, { prefix })
    expect(await said).toHaveProperty('socket_dir')
    const unreachable = `${data_dir} is in use, and its database can't be reached from here`
    await expect(backUp(data_dir, file)).rejects.toThrow(unreachable)
    const running = `running on ${data_dir}: stop it`
    await expect(restoreBackup({ data_dir, file, force: true })).rejects.toThrow(running)
    await kill(child)
    await vi.waitFor(() => backUp(data_dir, file), { timeout: 30_000 })
  },
)

test('an incomplete file is rejected and existing data stays', async () => {
  const { data_dir, file } = await makeNotes()
  await backUp(data_dir, file)
  const handle = await open(file, 'r+')
  await handle.truncate(((await stat(file)).size / 2) | 0).finally(() => handle.close())

  const target = await makeDataDir()
  await expect(restoreBackup({ data_dir: target, file, force: false })).rejects.toThrow('not a whole backup')
  expect(await readdir(target)).toEqual(['lock'])
})

/** Runs a program that fails. */
const failing = (cwd: string, DATA_DIR: string, program: string, ...args: string[]) =>
  promisify(execFile)(program, args, {
    cwd,
    env: { ...process.env, DATA_DIR, DATABASE_URL: '' },
  }).catch(error => error)

test('the command prints one line for a mistake', async () => {
  const data_dir = await makeDataDir()
  const none = join(data_dir, 'none')
  for (const [args, stderr] of [
    [['backup'], expect.stringMatching(/^Usage: .*\n$/)],
    [['backup', join(data_dir, 'file')], `There is no embedded database in ${data_dir}\n`],
    [['restore', none], `There is no file ${none}\n`],
  ] as const) {
    const command = ['--import', 'tsx', 'server/database/backup.ts', ...args]
    expect(await failing(root, data_dir, process.execPath, ...command)).toMatchObject({ code: 1, stderr })
  }
})

test('the command works on a new machine, before anything was built', async () => {
  const checkout = await makeDataDir()
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'server', 'shared'])
    await cp(join(root, name), join(checkout, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  const command = ['npm', 'run', '--silent', 'restore', '--', 'none'] as const
  expect(await failing(checkout, join(checkout, 'data'), ...command)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no file none$/m),
  })
})
