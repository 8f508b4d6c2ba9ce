// The command that prints a link for a new password, as an operator runs it.
import { randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { createUser } from '../../server/model/users.ts'
import { makeDataDir, migrateBefore, start } from '../database/folder.ts'
import { createAccount } from '../support/account.ts'
import { commandOf } from '../support/operator-command.ts'
import { runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const NONE = 'No account with this e-mail address\n'
const email = 'ann@example.com'
const ann = { email, name: 'Ann', password_hash: 'x' }

const run = commandOf('reset-password')

const linkAt = (address: string) => new RegExp(`^${address}/reset#([\\w-]{43})\\n$`)

describe('beside a running server', () => {
  test('beside a service with DATABASE_URL, the command prints one line with a link that works', async () => {
    const service = await runService()
    const { email } = await createAccount(service)
    const { socket_dir, database } = service.database.target
    const env = {
      DATABASE_URL: `postgres:///${database}`,
      PGHOST: socket_dir,
      PGUSER: 'app',
      PUBLIC_URL: 'https://feed.example',
    }
    expect(await run(env, randomUUID())).toEqual({ code: 1, stdout: '', stderr: NONE })
    expect(await run(env, `${randomUUID()}@example.com`)).toEqual({ code: 1, stdout: '', stderr: NONE })
    const { code, stdout, stderr } = await run(env, email.toUpperCase())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, token] = linkAt('https://feed\\.example').exec(stdout) ?? []
    const call = callTo(`${service.url}/api`)
    const body = { token, password: 'battery staple' }
    expect((await call('POST', '/auth/reset-password', body)).status).toBe(200)
  })

  test('beside a running embedded database, the command uses it and leaves it running', async () => {
    const { sql, data_dir } = await start()
    await migrate(sql)
    await createUser(sql, ann)
    const { stdout } = await run({ DATA_DIR: data_dir, PORT: '3007' }, email)
    expect(stdout).toMatch(linkAt('http://localhost:3007'))
    expect(await sql`select from password_resets`).toHaveLength(1)
  })
})

describe('a stopped embedded database', () => {
  test('a stopped embedded database is started for the command and stopped again', async () => {
    const { sql, data_dir, stop } = await start()
    await migrate(sql)
    await createUser(sql, ann)
    await stop()
    const { stdout } = await run({ DATA_DIR: data_dir }, email)
    expect(stdout).toMatch(linkAt('http://localhost:3000'))
    expect(await readdir(join(data_dir, 'postgres'))).not.toContain('postmaster.pid')
    expect(await run({ DATA_DIR: data_dir }, 'bob@example.com')).toEqual({
      code: 1,
      stdout: '',
      stderr: NONE,
    })
  })

  test('a database of an older release is left as it is', async () => {
    const { sql, data_dir } = await start()
    await migrateBefore(sql, '034')
    await createUser(sql, ann)
    const { code, stderr } = await run({ DATA_DIR: data_dir }, email)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'The database is of an older release: start this one once before\n',
    })
  })

  test('a folder without a database is left empty', async () => {
    const data_dir = await makeDataDir()
    const { code, stderr } = await run({ DATA_DIR: data_dir }, email)
    expect({ code, stderr }).toEqual({ code: 1, stderr: `There is no embedded database in ${data_dir}\n` })
    expect(await readdir(data_dir)).toEqual([])
  })
})

test('without exactly one address, the command prints its usage', async () => {
  for (const args of [[], [email, email]])
    expect(await run({}, ...args)).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Usage: npm run reset-password -- EMAIL\n',
    })
})

test('with PASSWORD_SIGN_IN=off, the command declines an account without a password', async () => {
  const { sql, data_dir } = await start()
  await migrate(sql)
  await createUser(sql, { ...ann, password_hash: null })
  await createUser(sql, { ...ann, email: 'bob@example.com' })
  const off = {
    DATA_DIR: data_dir,
    PASSWORD_SIGN_IN: 'off',
    OIDC_ISSUER: 'https://id.example',
    OIDC_CLIENT_ID: 'id',
    OIDC_CLIENT_SECRET: 'secret',
  }
  const stderr = 'Password sign-in is turned off, and this account has no password\n'
  expect(await run(off, email)).toEqual({ code: 1, stdout: '', stderr })
  expect((await run(off, 'bob@example.com')).code).toBe(0)
  expect((await run({ DATA_DIR: data_dir }, email)).code).toBe(0)
})
