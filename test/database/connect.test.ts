import { expect, onTestFinished, test } from 'vitest'
import { connect, reconnect } from '../../server/database/connect.ts'
import { countLockWaits, holdLocks } from '../support/locks.ts'
import { runDatabase } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'
import { fillPipelines } from './driver.ts'

const database = await runDatabase('template0')

test('values are read in the API’s format', async () => {
  const [row] = await database.sql`
    select '2026-01-31 14:00:00.123456+02'::timestamptz as timestamp, '2026-01-31 12:00:00Z'::timestamptz as whole,
      '2026-01-31'::date as day, count(*) as count, '\\x00ff'::bytea as bytes, '{"a": [1, null]}'::jsonb as json
    from generate_series(1, 3)`
  expect(row).toEqual({
    timestamp: '2026-01-31T12:00:00.123Z',
    whole: '2026-01-31T12:00:00.000Z',
    day: '2026-01-31',
    count: 3,
    bytes: Buffer.from([0, 255]),
    json: { a: [1, null] },
  })
})

test('a statement that takes too long ends in the database', async () => {
  const sql = connect(database.target, { statement_ms: 100, max: 2 })
  onTestFinished(() => sql.end())
  const canceled = { code: '57014' }
  await expect(sql`select pg_sleep(60)`).rejects.toMatchObject(canceled)
  await expect(sql.begin(tx => tx`select pg_sleep(60)`)).rejects.toMatchObject(canceled)
  expect(
    await database.sql`select from pg_stat_activity where query ~ 'pg_sleep.60' and state = 'active'
    and pid <> pg_backend_pid()`,
  ).toHaveLength(0)
})

test('values are written in the same format', async () => {
  const { sql } = database
  const timestamp = '2026-01-31T12:00:00.123Z'
  const [row] = await sql`
    select ${timestamp}::timestamptz as text, ${new Date(timestamp)}::timestamptz as date,
      ${'2026-01-31'}::date as day, ${2 ** 40}::bigint as number, ${Buffer.from([0, 255])}::bytea as bytes,
      ${sql.json({ a: [1, null] })}::jsonb as json`
  expect(row).toEqual({
    text: timestamp,
    date: timestamp,
    day: '2026-01-31',
    number: 2 ** 40,
    bytes: Buffer.from([0, 255]),
    json: { a: [1, null] },
  })
})

test('arrays can be written, and read only as JSON', async () => {
  const texts = ['', 'a "b", c', 'back\\slash', '{x}', 'null', 'é\n😀']
  const uuids = ['3f1c1b0e-0000-4000-8000-000000000000']
  const timestamps = ['2026-01-31T12:00:00.123Z']
  const [row] = await database.sql`
    select to_jsonb(${texts}::text[]) as texts, to_jsonb(${[]}::text[]) as none, to_jsonb(${uuids}::uuid[]) as uuids,
      to_jsonb(${timestamps}::timestamptz[]) as timestamps`
  expect(row).toEqual({ texts, none: [], uuids, timestamps: ['2026-01-31T12:00:00.123+00:00'] })
  await expect(database.sql`select ${texts}::text[]`).rejects.toThrow('to_jsonb')
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('a bigint beyond a safe integer is an error', async () => {
  await expect(database.sql`select 9007199254740993::bigint`).rejects.toThrow('beyond a safe integer')
  expect(await database.sql`select 1 as one`).toEqual([{ one: 1 }])
})

test('times do not depend on the database’s settings', async () => {
  const { sql, target } = database
  await sql`alter database ${sql(target.database)} set timezone = 'Asia/Kathmandu'`
  await sql`alter database ${sql(target.database)} set datestyle = 'German'`
  const other = connect(target, { max: 1 })
  const rows = await other`
    select '2026-01-31 12:00:00Z'::timestamptz as timestamp, current_setting('application_name') as name`
  expect(rows).toEqual([{ timestamp: '2026-01-31T12:00:00.000Z', name: 'channel-feed' }])
  await other.end()
})

test('reserving a connection throws instead of hanging', () => {
  expect(() => database.sql.reserve()).toThrow('use begin')
})

test('the pool holds at most max connections', async () => {
  const pool = connect(database.target, { max: 3 })
  const pids = await times(20, () => pool<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.01)`)
  expect(new Set(pids.map(([row]) => row?.pid)).size).toBe(3)
  await pool.end()
})

test('after `reconnect`, what had begun ends, and new queries use new connections', async () => {
  const pool = connect(database.target, { max: 3 })
  const pids = await times(3, () => pool<{ pid: number }[]>`select pg_backend_pid() as pid, pg_sleep(0.05)`)
  const old = pids.map(([row]) => row?.pid ?? 0)
  const rows = await pool.begin(async tx => {
    await tx`select 1`
    reconnect(pool)
    const [fresh] = await pool`select pg_backend_pid() as pid`
    expect(old).not.toContain(fresh?.pid)
    return tx`select 2 as two`
  })
  expect(rows).toEqual([{ two: 2 }])
  await until(async () => {
    const [left] = await database.sql`select count(*) from pg_stat_activity where pid in ${database.sql(old)}`
    return left?.count === 0
  }, 'the old connections are closed')
  await pool.end()
})

test('a transaction behind 100 statements of each connection runs, and stays apart from them', async () => {
  const pool = connect(database.target, { max: 2 })
  await pool`create table behind_others (number integer)`
  await fillPipelines(pool, 2)
  const statements = times(10, number => pool`insert into behind_others values (${number})`)
  const failing = pool.begin(async tx => {
    await tx`insert into behind_others values (100)`
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  await statements
  await pool.end()
  expect(await database.sql`select from behind_others`).toHaveLength(10)
})

test('a session that idles in a transaction is ended by the database', async () => {
  const [row] = await database.sql`select current_setting('idle_in_transaction_session_timeout') as idle`
  expect(row).toEqual({ idle: '30s' })
})

test('a connection that breaks while it opens rejects only its query', async () => {
  const killer = connect(database.target, { max: 1 })
  const loose: unknown[] = []
  const onLoose = (error: unknown) => loose.push(error)
  process.on('unhandledRejection', onLoose)
  const outcomes = new Set<string>()
  for (let round = 0; round < 40; round++) {
    const pool = connect(database.target, { max: 5 })
    const queries = Promise.allSettled(Array.from({ length: 5 }, () => pool`select 1`))
    let settled = false
    queries.then(() => {
      settled = true
    })
    while (!settled) {
      await killer`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`
    }
    for (const { status } of await queries) outcomes.add(status)
    await pool.end({ timeout: 1 })
  }
  process.off('unhandledRejection', onLoose)
  await killer.end()
  expect(loose).toEqual([])
  expect(outcomes).toContain('rejected')
})

test('a transaction that failed with a deadlock runs again', async () => {
  const { sql } = database
  await sql`create table rows_of_two (id integer primary key, changes integer not null default 0)`
  await sql`insert into rows_of_two (id) values (1), (2)`
  let begun = 0
  let bothHold = () => {}
  const both = new Promise<void>(resolve => {
    bothHold = resolve
  })
  const change = (first: number, second: number) =>
    sql.begin(async tx => {
      await tx`update rows_of_two set changes = changes + 1 where id = ${first}`
      if (++begun === 2) bothHold()
      await both
      await tx`update rows_of_two set changes = changes + 1 where id = ${second}`
    })
  await Promise.all([change(1, 2), change(2, 1)])
  expect(begun).toBeGreaterThan(2)
  expect(await sql`select changes from rows_of_two`).toEqual([{ changes: 2 }, { changes: 2 }])
})

test('lock_ms limits transactions but not single statements', async () => {
  await database.sql`create table one_row as select 1 as id`
  const letGo = await holdLocks(database, sql => sql`select from one_row for update`)
  const brief = connect(database.target, { max: 2, lock_ms: 10 })
  await expect(brief.begin(tx => tx`select from one_row for update`)).rejects.toMatchObject({ code: '55P03' })
  const patient = brief`select from one_row for update`.execute()
  await expect.poll(() => countLockWaits(database.sql)).toBe(1)
  await letGo()
  expect(await patient).toHaveLength(1)
  await brief.end()
})

test('a transaction whose connection closes while it waits for something else rejects, and nothing more is sent', async () => {
  const sql = connect(database.target)
  const observer = connect(database.target, { max: 1 })
  let after: unknown
  const cut = sql.begin(async tx => {
    const [session] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
    const pid = session?.pid ?? 0
    await observer`select pg_terminate_backend(${pid})`
    await until(async () => {
      const left = await observer`select from pg_stat_activity where pid = ${pid}`
      // The pool is replaced as soon as the driver notices.
      return left.length === 0 && (await sql`select 1`).length === 1
    }, 'the session ends')
    after = await Promise.resolve()
      .then(() => tx`select 1`)
      .catch(error => error)
    throw new Error('the work failed for another reason')
  })
  await expect(cut).rejects.toThrow()
  await until(async () => after !== undefined, 'the work ends')
  expect(after).toMatchObject({ code: 'CONNECTION_CLOSED' })
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }])
  await Promise.all([sql.end(), observer.end()])
})
