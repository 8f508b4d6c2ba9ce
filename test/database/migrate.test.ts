import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { migrate, requireVersion } from '../../server/database/migrate.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { makeDataDir } from './folder.ts'

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase('template0')
  return () => database.drop()
})

async function makeMigrations(files: Record<string, string>): Promise<string> {
  const folder = await makeDataDir()
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

test('a migration may take longer than other statements', async () => {
  const folder = await makeMigrations({
    '001_slow.sql': 'select pg_sleep(0.4); create table slow (id integer)',
  })
  const sql = connect(database.target, { statement_ms: 200 })
  onTestFinished(() => sql.end())
  await migrate(sql, folder)
  expect(await sql`select from slow`).toHaveLength(0)
})

test('concurrent instances apply every file once, in order', async () => {
  const folder = await makeMigrations({
    '001_first.sql': `create table steps (number serial, name text);
      insert into steps (name) values ('first; one'); select pg_sleep(0.1);`,
    '002_second.sql': `insert into steps (name) values ('second');`,
    'readme.txt': 'not a migration',
  })
  const instances = Array.from({ length: 4 }, () => connect(database.target, { max: 2 }))
  onTestFinished(async () => void (await Promise.all(instances.map(sql => sql.end()))))
  await Promise.all(instances.map(sql => migrate(sql, folder)))
  await migrate(database.sql, folder)

  expect(await database.sql`select name from steps order by number`).toEqual([
    { name: 'first; one' },
    { name: 'second' },
  ])
  expect(await database.sql`select name from migrations order by name`).toEqual([
    { name: '001_first.sql' },
    { name: '002_second.sql' },
  ])
})

test('a failing file is rolled back and named', async () => {
  const folder = await makeMigrations({
    '001_good.sql': 'create table good (id integer);',
    '002_bad.sql': 'create table half (id integer); create table nonsense (id nonsense);',
  })
  await expect(migrate(database.sql, folder)).rejects.toThrow(/002_bad\.sql.*type "nonsense" does not exist/)
  expect(await database.sql`select to_regclass('half') as half, to_regclass('good')::text as good`).toEqual([
    { half: null, good: 'good' },
  ])

  await writeFile(join(folder, '002_bad.sql'), 'create table half (id integer);')
  await migrate(database.sql, folder)
  expect(await database.sql`select name from migrations`).toHaveLength(2)
})

test('our migrations apply, and a second run changes nothing', async () => {
  await migrate(database.sql)
  await migrate(database.sql)
  expect(await database.sql`select to_regclass('users')::text as name`).toEqual([{ name: 'users' }])
})

test('PostgreSQL older than 14 is rejected', () => {
  expect(() => requireVersion(130_011, '13.11')).toThrow(/14 or newer .* 13\.11/)
  expect(() => requireVersion(140_000, '14.0')).not.toThrow()
})
