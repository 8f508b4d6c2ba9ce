// A failing start prints one line that names the variable and contains no secret.
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { tryLockDataDir } from '../../server/database/data-dir-lock.ts'
import { makeDataDir } from '../database/folder.ts'
import { createTestDatabase } from '../support/database.ts'
import { startInstance, startServer } from '../support/server.ts'

const PASSWORD = 'sesame'
const closed = '127.0.0.1:1'

/** The output of a process that exited with 1. */
async function outputOf(env: Record<string, string>): Promise<string> {
  const error: unknown = await startServer(env).catch(reason => reason)
  const [, code, output = ''] = /ended with (\d+):\n([\s\S]*)$/.exec(String(error)) ?? []
  expect(code, String(error)).toBe('1')
  return output
}

test.each([
  ['is no URL', `postgres://u:${PASSWORD}@127.0.0.1:99999/feed`],
  ['has a password with a stray %', `postgres://u:${PASSWORD}%zz@127.0.0.1/feed`],
  ['has a password with a stray /', `postgres://u:${PASSWORD}/x@127.0.0.1/feed`],
  ['names a port where nobody listens', `postgres://u:${PASSWORD}@${closed}/feed`],
  ['names a host that has several addresses', `postgres://u:${PASSWORD}@localhost:1/feed`],
  ['names an unknown host', `postgres://u:${PASSWORD}@nowhere.invalid/feed`],
  ['has an unknown parameter', `postgres://u:${PASSWORD}@127.0.0.1/feed?pool=3`],
])('a DATABASE_URL that %s ends the start with one line', async (_, DATABASE_URL) => {
  const output = await outputOf({ DATABASE_URL, DATA_DIR: await makeDataDir() })
  expect(output).toMatch(/^DATABASE_URL names a database that cannot be used \(.+\)\n$/)
  expect(output).not.toContain(PASSWORD)
})

/** The address of the tests' PostgreSQL, with session options. */
const urlOf = (database: string, option: string) =>
  `postgres://app@${encodeURIComponent(inject('socket_dir'))}/${database}?options=${encodeURIComponent(`-c ${option}`)}`

/** An empty database, and a role whose rights are those of docs/operations.md or none. */
async function createRole(grants: (role: string) => string) {
  const { sql, target, drop } = await createTestDatabase('template0')
  const role = `feed_${target.database}`
  await sql.unsafe(`create role ${role}; revoke create on schema public from public; ${grants(role)}`)
  onTestFinished(async () => {
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`)
    await drop()
  })
  return { DATABASE_URL: urlOf(target.database, `role=${role}`), DATA_DIR: await makeDataDir() }
}

test('a role that may not create tables ends the start with one line', async () => {
  expect(await outputOf(await createRole(() => ''))).toMatch(
    /^DATABASE_URL names a database that cannot be used \(permission denied for schema public\): its role needs "grant .+\n$/,
  )
})

test('a role with the rights of docs/operations.md can run the service', async () => {
  const rights = await createRole(role => `grant usage, create on schema public to ${role}`)
  const server = await startServer({ ...rights, DEMO: 'off' })
  const { status } = await fetch(`${server.url}/api/auth/sign-up/email`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: 'a@b.example', password: 'long enough', name: 'A' }),
  })
  expect(status).toBe(200)
  await server.stop()
})

test('with DATABASE_URL and AUTH_SECRET, the service needs no DATA_DIR, and signs with a key of its own', async () => {
  const { sql, target, drop } = await createTestDatabase()
  onTestFinished(drop)
  const DATA_DIR = join(await makeDataDir(), 'file', 'below')
  await writeFile(join(DATA_DIR, '..'), '')
  for (const count of [1, 2]) {
    const instance = await startInstance({ target }, { DATA_DIR, SIGNING_KEY: '' })
    expect((await fetch(`${instance.url}/readyz`)).status).toBe(200)
    await instance.kill()
    expect(await sql`select from signing_keys`).toHaveLength(count)
  }
})

test('with DATABASE_URL, the key is kept in DATA_DIR if that can be used', async () => {
  const { sql, target, drop } = await createTestDatabase()
  onTestFinished(drop)
  const DATA_DIR = join(await makeDataDir(), 'new')
  for (let start = 0; start < 2; start++) {
    const instance = await startInstance({ target }, { DATA_DIR, SIGNING_KEY: '' })
    await instance.kill()
  }
  expect(await readdir(DATA_DIR)).toEqual(['secrets.json'])
  expect(await sql`select from signing_keys`).toHaveLength(1)
})

test.each(['x', '{}', JSON.stringify({ kty: 'OKP', crv: 'Ed25519', x: PASSWORD, d: PASSWORD })])(
  'the SIGNING_KEY %s ends the start with one line',
  async SIGNING_KEY => {
    const DATA_DIR = await makeDataDir()
    expect(await outputOf({ DATA_DIR, SIGNING_KEY })).toBe('SIGNING_KEY must be a private Ed25519 JWK\n')
    expect(await readdir(DATA_DIR)).toEqual([])
  },
)

test('PG… variables and a missing TMPDIR do not disturb the embedded database', async () => {
  const server = await startServer({
    DEMO: 'off',
    PGTARGETSESSIONATTRS: 'standby',
    PGHOST: 'nowhere.invalid',
    PGSSL: 'require',
    TMPDIR: '/nowhere/at/all',
  })
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200)
  await server.stop()
})

test('a DATA_DIR that is a file ends the start with one line', async () => {
  const DATA_DIR = join(await makeDataDir(), 'file')
  await writeFile(DATA_DIR, '')
  expect(await outputOf({ DATA_DIR })).toMatch(/^DATA_DIR \S+ cannot be used \(.+\)\n$/)
})

test('a DATA_DIR with broken secrets ends the start with one line', async () => {
  const DATA_DIR = await makeDataDir()
  await writeFile(join(DATA_DIR, 'secrets.json'), '{')
  expect(await outputOf({ DATA_DIR })).toMatch(/^\S+ in DATA_DIR cannot be read: restore or remove it\n$/)
})

test('a DATA_DIR in use is named and nothing is written to it', async () => {
  const DATA_DIR = await makeDataDir()
  const lock = tryLockDataDir(DATA_DIR)
  expect(await outputOf({ DATA_DIR })).toBe(
    `${DATA_DIR} is in use by another instance: stop that one, or set DATA_DIR to another folder\n`,
  )
  lock?.release()
  expect(await readdir(DATA_DIR)).toEqual(['lock'])
})

test('a reachable HOST with open defaults logs one warning', async () => {
  const warnings = async (env: Record<string, string>) => {
    const server = await startServer({ HOST: '0.0.0.0', DEMO: 'off', ...env })
    await server.stop()
    return server.output().match(/.*Other machines can reach.*/g) ?? []
  }
  const [line, ...more] = await warnings({})
  expect(JSON.parse(line ?? '')).toMatchObject({
    level: 40,
    msg: expect.stringMatching(/SIGNUPS=closed and WEBHOOK_PRIVATE_NETWORKS=deny/),
  })
  expect(more).toEqual([])
  expect(await warnings({ SIGNUPS: 'open', WEBHOOK_PRIVATE_NETWORKS: 'allow' })).toEqual([])
})
