// Parameters that the driver serialises twice arrive as they were sent.
import { expect, test } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { runDatabase } from '../support/running.ts'
import { openDriver } from './driver.ts'

const database = await runDatabase('template0')

/** By the type's number. */
const SAMPLES: Record<string, unknown[]> = {
  0: [0, 1.5],
  16: [true, false],
  17: [Buffer.from([1, 14]), new Uint8Array([0x5c, 0x78]), Buffer.alloc(0)],
  20: [7, 2n ** 40n],
  21: [7],
  23: [7],
  25: ['text', ''],
  26: [7],
  114: [{ a: [1, null] }, [], 1, true],
  700: [1.5],
  701: [1.5],
  1009: [['a "b"', '{x}', 'null'], []],
  1082: ['2026-01-31'],
  1114: [new Date(0)],
  1184: [new Date(0), '2026-01-31T12:00:00.000Z'],
  1185: [['2026-01-31T12:00:00.000Z']],
  2951: [['3f1c1b0e-0000-4000-8000-000000000000']],
  3802: [{ a: [1, null] }, [], 1, true],
}

test('serialising a value twice is the same as once, for every type', async () => {
  const sql = connect(database.target)
  const { serializers } = sql.options
  expect(Object.keys(serializers)).toEqual(Object.keys(SAMPLES))
  for (const [type, serialize] of Object.entries(serializers))
    for (const value of SAMPLES[type] ?? []) {
      const once: unknown = serialize(value)
      expect(serialize(once), `type ${type}`).toBe(once)
    }
  await sql.end()
})

/** Prepares the statement on the pool's only connection, loses it there, and runs it again. */
async function runAfterLoss<T>(run: () => PromiseLike<T>, lose: () => PromiseLike<unknown>): Promise<T> {
  await run()
  await lose()
  return run()
}

const BYTES = Buffer.from([1, 14])

test('fault: the driver alone sends other bytes, booleans and JSON after it has lost a statement', async () => {
  const sql = openDriver(database, { max: 1 })
  const run = () =>
    sql`select ${BYTES}::bytea as bytes, ${true}::boolean as yes, ${sql.json([1])}::jsonb as json`
  const [row] = await runAfterLoss(run, () => sql`deallocate all`)
  expect(row).toEqual({ bytes: Buffer.from('\\x010e'), yes: false, json: '[1]' })
})

test('a statement that is lost between two uses is sent again with the same values', async () => {
  const sql = connect(database.target, { max: 1 })
  const texts = ['a', 'b']
  const run = () => sql`
    select ${BYTES}::bytea as bytes, ${true}::boolean as yes, ${false}::boolean as no, ${sql.json([1])}::jsonb as json,
      to_jsonb(${texts}::text[]) as texts, ${7}::bigint as number, ${'2026-01-31T12:00:00.000Z'}::timestamptz as at`
  const [row] = await runAfterLoss(run, () => sql`deallocate all`)
  expect(row).toEqual({
    bytes: BYTES,
    yes: true,
    no: false,
    json: [1],
    texts,
    number: 7,
    at: '2026-01-31T12:00:00.000Z',
  })
  await sql.end()
})

test('a transaction runs again if a column that it reads has changed its type', async () => {
  const sql = connect(database.target)
  await sql`create table changing (id integer, value integer)`
  await sql`insert into changing values (1, 5)`
  let runs = 0
  const read = () =>
    sql.begin(tx => {
      runs++
      return tx`select value from changing where id = any(${['1']}::text[]::integer[])`
    })
  expect(await read()).toEqual([{ value: 5 }])
  await sql`alter table changing alter value type text using value::text`
  expect(await read()).toEqual([{ value: '5' }])
  expect(runs).toBe(3)
  await sql.end()
})

test('bytes that an older version stored as their text are read as what they were', async () => {
  const [row] = await database.sql`
    select '\\x5c7830313065'::bytea as doubled, '\\x5c78'::bytea as empty,
      '\\x5c78307a'::bytea as other`
  expect(row).toMatchObject({ doubled: BYTES, empty: Buffer.alloc(0), other: Buffer.from('\\x0z') })
})
