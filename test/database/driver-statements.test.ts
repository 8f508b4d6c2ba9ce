// What docs/dependencies.md says about the driver's statements: their order, repetition, parameters, results and errors.
import type postgres from 'postgres'
import { expect, test } from 'vitest'
import { runDatabase } from '../support/running.ts'
import { openDriver } from './driver.ts'

const database = await runDatabase('template0')
await database.sql`create table listed (at serial, number integer unique)`

test('the statements of one connection run in the order in which they were sent', async () => {
  const sql = openDriver(database, { max: 1 })
  await sql`truncate listed`
  await Promise.all([1, 2, 3, 4, 5].map(number => sql`insert into listed (number) values (${number})`))
  expect(await sql`select number from listed order by at`.values()).toEqual([[1], [2], [3], [4], [5]])
})

test('a statement that fails leaves those sent before and after it alone', async () => {
  const sql = openDriver(database, { max: 1 })
  const outcomes = await Promise.allSettled([sql`select 1`, sql`select 1 / 0`, sql`select 2`])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a lost statement is repeated once, behind those that were sent after it', async () => {
  const sql = openDriver(database, { max: 1 })
  await sql`truncate listed`
  const insert = (number: number) => sql`insert into listed (number) values (${number})`
  await insert(0)
  await sql`deallocate all`
  await Promise.all([insert(1), sql`insert into listed (number) values (2)`])
  expect(await sql`select number from listed order by at`.values()).toEqual([[0], [2], [1]])
})

test('in a transaction, a lost statement is an error that names it as such', async () => {
  const sql = openDriver(database, { max: 1 })
  const read = () => sql.begin(tx => tx`select ${1}::integer`)
  await read()
  await sql`deallocate all`
  await expect(read()).rejects.toMatchObject({ code: '26000', routine: 'FetchPreparedStatement' })
})

test('a statement whose columns have changed is repeated, and in a transaction it is an error', async () => {
  const sql = openDriver(database, { max: 1 })
  await sql`create table changing (value integer)`
  const read = (tx: postgres.ISql = sql) => tx`select value from changing where ${true}`
  await read()
  await sql`alter table changing alter value type text`
  expect(await read()).toEqual([])
  await sql`alter table changing alter value type integer using 1`
  await expect(sql.begin(read)).rejects.toMatchObject({
    code: '0A000',
    routine: 'RevalidateCachedQuery',
  })
})

test('with `prepare: false`, nothing is kept in the session', async () => {
  const sql = openDriver(database, { max: 1, prepare: false })
  await sql`select ${1}::integer`
  await sql`select ${1}::integer`
  expect(await sql`select from pg_prepared_statements`).toHaveLength(0)
})

test('results are numbers, booleans, bytes, parsed JSON and null; bigint and numeric are text', async () => {
  const sql = openDriver(database)
  const [row] = await sql`
    select 1 as int4, 1.5::float8 as float8, 2::bigint as int8, 1.50::numeric as numeric, true as bool, 'é' as text,
      '\\x00ff'::bytea as bytea, '{"a": [1]}'::jsonb as jsonb, null as nothing`
  expect(row).toEqual({
    int4: 1,
    float8: 1.5,
    int8: '2',
    numeric: '1.50',
    bool: true,
    text: 'é',
    bytea: Buffer.from([0, 255]),
    jsonb: { a: [1] },
    nothing: null,
  })
})

test('a parameter has the type that the statement gives it', async () => {
  const sql = openDriver(database)
  const [row] = await sql`
    select ${'7'}::integer as number, ${7}::text as text, ${null}::integer as nothing, ${Buffer.from([1])}::bytea as bytes,
      ${'[1]'}::text::jsonb as json`
  expect(row).toEqual({ number: 7, text: '7', nothing: null, bytes: Buffer.from([1]), json: [1] })
})

test('an error carries the SQLSTATE, the constraint and PostgreSQL’s function', async () => {
  const sql = openDriver(database)
  await sql`truncate listed`
  await sql`insert into listed (number) values (1)`
  await expect(sql`insert into listed (number) values (1)`).rejects.toMatchObject({
    code: '23505',
    constraint_name: 'listed_number_key',
    routine: '_bt_check_unique',
  })
})
