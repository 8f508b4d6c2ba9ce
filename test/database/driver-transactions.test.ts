// What docs/dependencies.md says about the driver's transactions, cut connections and cancellation. A fault that a new
// version no longer has makes its test fail: then the workaround can go.
import type postgres from 'postgres'
import { expect, test } from 'vitest'
import { runDatabase } from '../support/running.ts'
import { until } from '../support/viewer.ts'
import { fillPipelines, openDriver } from './driver.ts'

const database = await runDatabase('template0')

const inTransaction = () => database.sql<{ pid: number }[]>`
  select pid from pg_stat_activity
  where datname = current_database() and state like 'idle in transaction%'`
const pidOf = async (sql: postgres.ISql) =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid
/** Waits until the session runs a statement. */
const untilBusy = (pid: number | undefined) =>
  until(async () => {
    const busy = await database.sql`select from pg_stat_activity where pid = ${pid ?? 0} and state = 'active'`
    return busy.length === 1
  }, 'the statement runs')
const endSession = (pid: number | undefined) => database.sql`select pg_terminate_backend(${pid ?? 0})`

test('a transaction has a connection of its own, in which its statements run in order', async () => {
  const sql = openDriver(database, { max: 2 })
  await sql`create table ordered (number integer, at serial)`
  await sql.begin(async tx => {
    const pid = await pidOf(tx)
    const others = await Promise.all([1, 2, 3, 4].map(() => pidOf(sql)))
    expect(others).not.toContain(pid)
    await Promise.all([1, 2, 3].map(number => tx`insert into ordered (number) values (${number})`))
    expect(await pidOf(tx)).toBe(pid)
  })
  expect(await sql`select number from ordered order by at`).toEqual([
    { number: 1 },
    { number: 2 },
    { number: 3 },
  ])
})

test('a transaction whose work throws is rolled back', async () => {
  const sql = openDriver(database)
  await sql`create table undone (number integer)`
  const failing = sql.begin(async tx => {
    await tx`insert into undone values (1)`
    throw new Error('the work failed')
  })
  await expect(failing).rejects.toThrow('the work failed')
  expect(await sql`select from undone`).toHaveLength(0)
  expect(await inTransaction()).toEqual([])
})

test('a statement that fails unnoticed fails its transaction', async () => {
  const sql = openDriver(database)
  const failing = sql.begin(tx => {
    tx`select 1 / 0`.catch(() => {})
    return tx`select 1`.catch(() => 'ignored')
  })
  await expect(failing).rejects.toMatchObject({ code: '22012' })
})

test('if all connections of a pool for transactions are taken, the next transaction waits for one', async () => {
  const sql = openDriver(database, { max: 2 })
  const pids = await Promise.all(
    [1, 2, 3, 4, 5, 6].map(() =>
      sql.begin(async tx => {
        const pid = await pidOf(tx)
        await tx`select pg_sleep(0.01)`
        expect(await pidOf(tx)).toBe(pid)
        return pid
      }),
    ),
  )
  expect(new Set(pids).size).toBe(2)
})

test('fault: BEGIN behind 100 statements is refused, and its connection stays in the transaction', async () => {
  const sql = openDriver(database, { max: 2 })
  await fillPipelines(sql, 2)
  const refused = sql.begin(tx => tx`select 1`)
  await expect(refused).rejects.toMatchObject({ code: 'UNSAFE_TRANSACTION' })
  await until(async () => (await inTransaction()).length === 1, 'the session is left in a transaction')
})

test('a connection that closes rejects its statement, and the pool opens another one', async () => {
  const sql = openDriver(database, { max: 1 })
  const pid = await pidOf(sql)
  const cut = sql`select pg_sleep(60)`
  const rejected = expect(cut).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
  await untilBusy(pid)
  await endSession(pid)
  await rejected
  await until(async () => {
    const now = await pidOf(sql).catch(() => pid)
    return now !== pid
  }, 'another connection answers')
})

test('a connection that closes rejects its transaction', async () => {
  const sql = openDriver(database, { max: 1 })
  const cut = sql.begin(async tx => {
    await endSession(await pidOf(tx))
    return new Promise(() => {})
  })
  await expect(cut).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' })
})

test('a cancelled statement rejects, and its connection stays usable', async () => {
  const sql = openDriver(database, { max: 1 })
  const pid = await pidOf(sql)
  const slow = sql`select pg_sleep(60)`
  const rejected = expect(slow).rejects.toMatchObject({ code: '57014' })
  await untilBusy(pid)
  slow.cancel()
  await rejected
  expect(await pidOf(sql)).toBe(pid)
})

test('`end` waits for what has begun, and with a time limit cuts it', async () => {
  const patient = openDriver(database, { max: 1 })
  const done = patient`select 1 as one, pg_sleep(0.05)`.execute()
  await patient.end()
  expect(await done).toMatchObject([{ one: 1 }])
  const hasty = openDriver(database, { max: 1 })
  const pid = await pidOf(hasty)
  const cut = expect(hasty`select pg_sleep(60)`).rejects.toMatchObject({ code: 'CONNECTION_DESTROYED' })
  await untilBusy(pid)
  await hasty.end({ timeout: 0 })
  await cut
})
