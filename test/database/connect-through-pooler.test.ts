// What the service does behind a pooler, on its own and with the start's check.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type AnySql, type ConnectTarget, connect } from '../../server/database/connect.ts'
import { findPooler } from '../../server/database/pooler.ts'
import { startLink } from '../proof/net/link.ts'
import { afterTest } from '../support/after-test.ts'
import { type PoolerOptions, startPooler } from '../support/pooler.ts'
import { runDatabase } from '../support/running.ts'
import { times } from '../support/times.ts'

const database = await runDatabase('template0')
const POSTGRES_SOCKET = join(database.target.socket_dir, '.s.PGSQL.5432')

async function runPooler(options?: PoolerOptions) {
  const pooler = await startPooler(POSTGRES_SOCKET, options)
  afterTest(() => pooler.end())
  return { pooler, target: { url: pooler.urlOf(database.target.database) } }
}

function open(target: ConnectTarget) {
  const sql = connect(target, { max: 3 })
  afterTest(() => sql.end({ timeout: 0 }))
  return sql
}

test.each([
  { size: 1, choice: 'newest' },
  { size: 3, choice: 'newest' },
  { size: 4, choice: 'newest' },
  { size: 4, choice: 'oldest' },
  { size: 20, choice: 'newest' },
  { size: 20, choice: 'oldest' },
] as const)('finds a pooler with $size sessions that takes the $choice first', async options => {
  const { target } = await runPooler({ ...options, strict: false })
  expect(await findPooler(target)).toEqual({ ...target, pooled: true })
})

test('a pooler that refuses startup parameters is found even if it keeps sessions apart', async () => {
  const { target } = await runPooler()
  expect(await findPooler(target)).toEqual({ ...target, pooled: true })
})

test('a database without a pooler keeps its prepared statements, and its sessions limit idle transactions', async () => {
  const link = await startLink({ path: POSTGRES_SOCKET })
  afterTest(() => link.end())
  const target = await findPooler({
    url: `postgres://app@127.0.0.1:${link.port}/${database.target.database}`,
  })
  expect(target).toMatchObject({ pooled: false })
  const sql = open(target)
  for (let i = 0; i < 2; i++) {
    const [row] = await sql`
      select current_setting('idle_in_transaction_session_timeout') as idle,
        (select count(*) from pg_prepared_statements where statement like ${'%idle_in_transaction%'})`
    expect(row).toMatchObject({ idle: '30s', count: 1 })
  }
})

test('behind a pooler, each transaction limits its idle time', async () => {
  const { target } = await runPooler()
  const sql = open(await findPooler(target))
  const idle = (tx: AnySql) => tx`select current_setting('idle_in_transaction_session_timeout') as idle`
  expect(await sql.begin(idle)).toEqual([{ idle: '30s' }])
  expect(await idle(sql)).toEqual([{ idle: '0' }])
})

test('transactions and statements work behind a pooler', async () => {
  const { pooler, target } = await runPooler()
  const sql = open(await findPooler(target))
  await sql`create table numbered (number integer, bytes bytea, done boolean, texts jsonb)`
  const insert = (number: number, tx: AnySql = sql) => tx`
    insert into numbered
    values (${number}, ${Buffer.from([1, 14])}, ${number % 2 === 0}, to_jsonb(${['a', 'b']}::text[]))`
  await times(60, i => (i % 3 === 0 ? sql.begin(tx => insert(i, tx)) : insert(i)))
  const rows = await sql`select * from numbered order by number`
  expect(rows).toEqual(
    Array.from({ length: 60 }, (_, number) => ({
      number,
      bytes: Buffer.from([1, 14]),
      done: number % 2 === 0,
      texts: ['a', 'b'],
    })),
  )
  expect(pooler.moves).toBeGreaterThan(0)
})
