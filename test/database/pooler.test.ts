// The tests' own pooler behaves as pgbouncer does in transaction mode.
import { join } from 'node:path'
import postgres from 'postgres'
import { expect, test } from 'vitest'
import { afterTest } from '../support/after-test.ts'
import { startPooler } from '../support/pooler.ts'
import { runDatabase } from '../support/running.ts'
import { times } from '../support/times.ts'

const database = await runDatabase('template0')

async function runPooler(options?: Parameters<typeof startPooler>[1]) {
  const pooler = await startPooler(join(database.target.socket_dir, '.s.PGSQL.5432'), options)
  afterTest(() => pooler.end())
  const connect = (more: postgres.Options<Record<string, never>> = {}) => {
    const sql = postgres(pooler.urlOf(database.target.database), { fetch_types: false, ...more })
    afterTest(() => sql.end({ timeout: 0 }))
    return sql
  }
  return { pooler, connect }
}

const pidOf = async (sql: postgres.Sql | postgres.TransactionSql) =>
  (await sql<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]?.pid

test('clients share sessions between transactions and never within one', async () => {
  const { connect } = await runPooler({ size: 2 })
  const clients = await times(6, async () => connect({ max: 1 }))
  const pids = await times(6, i =>
    clients[i]?.begin(async tx => {
      const before = await pidOf(tx)
      await tx`select pg_sleep(0.01)`
      expect(await pidOf(tx)).toBe(before)
      return before
    }),
  )
  expect(new Set(pids).size).toBe(2)
})

test.each(['newest', 'oldest'] as const)(
  'with the %s session first, named statements get lost',
  async choice => {
    const { pooler, connect } = await runPooler({ choice })
    const sql = connect({ max: 3 })
    const lost = await times(40, () => sql.begin(tx => tx`select ${1}::integer`).catch(error => error.code))
    expect(lost).toContain('26000')
    expect(pooler.moves).toBeGreaterThan(0)
  },
)

test('a client that leaves a transaction open takes its session with it', async () => {
  const { connect } = await runPooler({ size: 1 })
  const [left, next] = [connect({ max: 1 }), connect({ max: 1 })]
  await left`begin`
  const abandoned = await pidOf(left)
  const waiting = pidOf(next)
  await left.end({ timeout: 0 })
  expect(await waiting).not.toBe(abandoned)
})

test('a statement can be cancelled', async () => {
  const { connect } = await runPooler()
  const sql = connect()
  const slow = sql`select pg_sleep(60)`
  const failed = expect(slow).rejects.toMatchObject({ code: '57014' })
  await expect
    .poll(
      async () =>
        (
          await database.sql`select from pg_stat_activity where query ~ 'pg_sleep.60' and state = 'active' and pid <> pg_backend_pid()`
        ).length,
    )
    .toBe(1)
  slow.cancel()
  await failed
})

test('a startup parameter that it does not know is refused', async () => {
  const { connect } = await runPooler()
  const sql = connect({ connection: { lock_timeout: 100 } })
  await expect(sql`select 1`).rejects.toThrow('unsupported startup parameter: lock_timeout')
})
