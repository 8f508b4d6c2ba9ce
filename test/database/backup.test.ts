// Backup and restore of a running and of a stopped embedded database.
import { execFile } from 'node:child_process'
import { cp, open, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { createBackup } from '../../server/database/backup-create.ts'
import { restoreBackup } from '../../server/database/backup-restore.ts'
import { inContainer, kill, log, makeDataDir, root, start, startChild } from './folder.ts'

const binaries = process.env.TEST_POSTGRES_PACKAGE

async function makeNotes(data_dir: string) {
  const server = await start(data_dir)
  await server.sql`create table notes (number bigserial primary key, text text default repeat('x', 500))`
  await server.sql`insert into notes select from generate_series(1, 1000)`
  return server
}

test('a backup of a running service has everything acknowledged before it began', async () => {
  const [data_dir, target] = [await makeDataDir(), await makeDataDir()]
  const file = join(await makeDataDir(), 'backup.tar.gz')
  const { sql } = await makeNotes(data_dir)
  await writeFile(join(data_dir, 'secrets.json'), '{"auth_secret":"s"}', { mode: 0o600 })

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
  await createBackup({ data_dir, file, log, package: binaries })
  stopping.abort()
  await Promise.all(writers)
  expect((await stat(file)).mode & 0o777).toBe(0o600)

  await restoreBackup({ data_dir: target, file, force: false })
  expect(await readdir(join(target, 'postgres'))).toContain('restored')
  expect(await readFile(join(target, 'secrets.json'), 'utf8')).toBe('{"auth_secret":"s"}')
  expect((await stat(join(target, 'secrets.json'))).mode & 0o777).toBe(0o600)
  const restored = await start(target)
  const [row] = await restored.sql<{ count: number; last: number }[]>`
    select count(*) as count, max(number) as last from notes`
  expect(row?.count).toBeGreaterThanOrEqual(before)
  expect(row?.count).toBeLessThanOrEqual(acknowledged)
  await restored.sql`insert into notes default values`
})

test('a stopped database is backed up and is stopped again afterwards', async () => {
  const [data_dir, target] = [await makeDataDir(), await makeDataDir()]
  const file = join(data_dir, 'backup.tar.gz')
  await (await makeNotes(data_dir)).stop()
  await createBackup({ data_dir, file, log, package: binaries })
  expect(await readdir(join(data_dir, 'postgres'))).not.toContain('postmaster.pid')

  await restoreBackup({ data_dir: target, file, force: false })
  const restored = await start(target)
  expect(await restored.sql`select count(*) as count from notes`).toEqual([{ count: 1000 }])
})

test('restore refuses a running service, and a folder with data without --force', async () => {
  const data_dir = await makeDataDir()
  const file = join(data_dir, 'backup.tar.gz')
  const server = await makeNotes(data_dir)
  await createBackup({ data_dir, file, log, package: binaries })
  await expect(restoreBackup({ data_dir, file, force: true })).rejects.toThrow('stop it')
  await server.sql`insert into notes default values`
  await server.stop()

  await expect(restoreBackup({ data_dir, file, force: false })).rejects.toThrow('--force')
  const aside = await restoreBackup({ data_dir, file, force: true })
  expect(await readdir(join(aside ?? '', 'postgres'))).toContain('PG_VERSION')
  const restored = await start(data_dir)
  expect(await restored.sql`select count(*) as count from notes`).toEqual([{ count: 1000 }])
})

test('a database in use by another container is neither backed up nor replaced', async () => {
  const data_dir = await makeDataDir()
  const file = join(await makeDataDir(), 'backup.tar.gz')
  // Its socket is unreachable too, because the container has its own /tmp.
  const ownTmp = [
    'unshare',
    '--mount',
    'sh',
    '-c',
    'mount -t tmpfs tmp /run && export TMPDIR=/run && exec "$@"',
    'sh',
  ]
  const { child, said } = startChild(data_dir, { prefix: [...inContainer, ...ownTmp] })
  expect(await said).toHaveProperty('socket_dir')
  await expect(createBackup({ data_dir, file, log, package: binaries })).rejects.toThrow(
    `${data_dir} is in use, and its database can't be reached from here`,
  )
  await expect(restoreBackup({ data_dir, file, force: true })).rejects.toThrow(
    `running on ${data_dir}: stop it`,
  )
  await kill(child)
  await vi.waitFor(() => createBackup({ data_dir, file, log, package: binaries }), { timeout: 30_000 })
})

test('an incomplete file is refused and existing data stays', async () => {
  const [data_dir, target] = [await makeDataDir(), await makeDataDir()]
  const file = join(data_dir, 'backup.tar.gz')
  await makeNotes(data_dir)
  await createBackup({ data_dir, file, log, package: binaries })
  const handle = await open(file, 'r+')
  await handle.truncate(((await stat(file)).size / 2) | 0).finally(() => handle.close())

  await expect(restoreBackup({ data_dir: target, file, force: false })).rejects.toThrow('not a whole backup')
  expect(await readdir(target)).toEqual(['lock'])
})

test('the command prints one line for a mistake', async () => {
  const data_dir = await makeDataDir()
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['--import', 'tsx', 'server/database/backup.ts', ...args], {
      cwd: root,
      env: { ...process.env, DATA_DIR: data_dir, DATABASE_URL: '' },
    }).catch(error => error)
  expect(await run('backup')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: .*\n$/) })
  expect(await run('backup', join(data_dir, 'file'))).toMatchObject({
    code: 1,
    stderr: `There is no embedded database in ${data_dir}\n`,
  })
  expect(await run('restore', join(data_dir, 'none'))).toMatchObject({
    code: 1,
    stderr: `There is no file ${join(data_dir, 'none')}\n`,
  })
})

test('the command works on a new machine, before anything was built', async () => {
  const checkout = await makeDataDir()
  for (const name of ['package.json', 'package-lock.json', 'tsconfig.json', 'server', 'shared'])
    await cp(join(root, name), join(checkout, name), { recursive: true })
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  const run = promisify(execFile)('npm', ['run', '--silent', 'restore', '--', 'none'], {
    cwd: checkout,
    env: { ...process.env, DATA_DIR: join(checkout, 'data'), DATABASE_URL: '' },
  }).catch(error => error)
  expect(await run).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no file none$/m) })
})
