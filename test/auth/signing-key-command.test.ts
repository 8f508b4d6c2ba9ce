// The command that replaces and revokes the keys of signed decisions, as an operator runs it.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrate } from '../../server/database/migrate.ts'
import { keepSigningKey } from '../../server/decisions/signing-keys.ts'
import { keyPairOf, newPrivateJwk, parseKeyPair } from '../../server/key-pair.ts'
import { loadAuthSecret, loadSigningKey } from '../../server/secrets.ts'
import { log, makeDataDir, migrateBefore, start } from '../database/folder.ts'
import { commandOf } from '../support/operator-command.ts'
import { runDatabase } from '../support/running.ts'

const run = commandOf('signing-key')
const failure = (stderr: string) => ({ code: 1, stdout: '', stderr })

test('`--new` replaces the key in DATA_DIR, keeps the other secret, and names the new key', async () => {
  const DATA_DIR = await makeDataDir()
  const before = await loadSigningKey(DATA_DIR)
  const auth_secret = await loadAuthSecret(DATA_DIR)
  const { code, stdout } = await run({ DATA_DIR }, '--new')
  const { kid } = await loadSigningKey(DATA_DIR)
  expect(kid).not.toBe(before.kid)
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `The new key is ${kid}. Restart the service to sign with it\n`,
  })
  expect(await loadAuthSecret(DATA_DIR)).toBe(auth_secret)
})

test('`--new` makes a folder that does not exist', async () => {
  const DATA_DIR = join(await makeDataDir(), 'new')
  const { stdout } = await run({ DATA_DIR }, '--new')
  expect(stdout).toContain((await loadSigningKey(DATA_DIR)).kid)
})

test('`--new` prints a key where SIGNING_KEY is set, and stores nothing', async () => {
  const DATA_DIR = await makeDataDir()
  const { code, stdout } = await run({ DATA_DIR, SIGNING_KEY: JSON.stringify(newPrivateJwk()) }, '--new')
  const [first, second = '', ...rest] = stdout.split('\n')
  expect({ code, first, rest }).toEqual({
    code: 0,
    first: 'SIGNING_KEY is set. Set it to this on every instance, and restart them:',
    rest: [''],
  })
  expect(await parseKeyPair(second)).not.toBeNull()
  expect(await readdir(DATA_DIR)).toEqual([])
})

test('`--revoke` ends a key of an external database, also if SIGNING_KEY is set', async () => {
  const { sql, target } = await runDatabase()
  const signing_key = await keyPairOf(newPrivateJwk())
  await keepSigningKey({ sql, log, signing_key })
  const env = {
    DATABASE_URL: `postgres:///${target.database}`,
    PGHOST: target.socket_dir,
    PGUSER: 'app',
    SIGNING_KEY: JSON.stringify(newPrivateJwk()),
  }
  const { kid } = signing_key
  expect(await run(env, '--revoke', 'unknown')).toEqual(failure('No key unknown has been in use\n'))
  expect(await run(env, '--revoke', kid)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(new RegExp(`^Revoked ${kid}: its signatures count no longer\\. .+\\n$`)),
  })
  expect(await sql`select kid from signing_keys where revoked_at is not null`).toEqual([{ kid }])
})

test('`--revoke` works beside a running embedded database, and leaves it running', async () => {
  const { sql, data_dir } = await start()
  await migrate(sql)
  const signing_key = await loadSigningKey(data_dir)
  await keepSigningKey({ sql, log, signing_key })
  const { code } = await run({ DATA_DIR: data_dir }, '--revoke', signing_key.kid)
  expect(code).toBe(0)
  expect(await sql`select kid from signing_keys where revoked_at is not null`).toHaveLength(1)
})

test('a database of an older release is left as it is', async () => {
  const { sql, data_dir } = await start()
  await migrateBefore(sql, '036')
  expect(await run({ DATA_DIR: data_dir }, '--revoke', 'x')).toEqual(
    failure('The database is of an older release: start this one once before\n'),
  )
})

test.each([[[]], [['--new', '--revoke', 'x']], [['--revoke']], [['--new', 'more']], [['--old']]])(
  'with %j, the command prints its usage',
  async args => {
    expect(await run({}, ...args)).toEqual(
      failure('Usage: npm run signing-key -- --new, npm run signing-key -- --revoke KID\n'),
    )
  },
)
