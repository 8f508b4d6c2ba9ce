import { beforeEach, expect, test } from 'vitest'
import { hashPassword } from '../../server/auth/passwords.ts'
import { type AttemptKeys, createThrottle } from '../../server/auth/throttle.ts'
import { runDatabase } from '../support/running.ts'

const RIGHT = 'correct horse'

const database = await runDatabase()
const throttle = createThrottle(database.sql)
const password_hash = await hashPassword(RIGHT, 'tests')
beforeEach(async () => void (await database.sql`delete from failed_attempts`))

const keys: AttemptKeys = ['address 192.0.2.1', 'account ann@example.com']
const guess = (password = RIGHT, by = keys) => throttle.guess(by, password_hash, password)
const blocked = { status: 429, message: 'Too many failed attempts' }

async function fail(times: number, by = keys): Promise<void> {
  for (let i = 0; i < times; i++) expect(await guess('wrong', by)).toBe(false)
}

/** Moves all failures into the past by so many seconds. */
const pass = (seconds: number) =>
  database.sql`update failed_attempts set until = until - make_interval(secs => ${seconds})`

test('nine failures in a minute are allowed, and the tenth blocks for a minute', async () => {
  await fail(9)
  expect(await guess()).toBe(true)
  await pass(50)
  await fail(1)
  await expect(guess()).rejects.toMatchObject(blocked)
  await pass(50)
  const error = await guess().catch(error => error)
  expect(error).toMatchObject(blocked)
  expect(Number(error.headers['Retry-After'])).toBeLessThanOrEqual(10)
  await pass(10)
  expect(await guess()).toBe(true)
})

const [address, account] = keys
test.each<[string, string, (i: number | string) => AttemptKeys]>([
  ['address', 'users', i => [i === 'free' ? 'address 2' : address, `account ${i}`]],
  ['user', 'addresses', i => [`address ${i}`, i === 'free' ? 'account 2' : account]],
])('failures are counted per %s across %s', async (_one, _all, keysOf) => {
  for (let i = 0; i < 10; i++) await fail(1, keysOf(i))
  await expect(guess(RIGHT, keysOf(11))).rejects.toMatchObject(blocked)
  expect(await guess(RIGHT, keysOf('free'))).toBe(true)
})

test('the count restarts a minute after the first failure', async () => {
  await fail(9)
  await pass(60)
  await fail(9)
  expect(await guess()).toBe(true)
})

test('at most ten concurrent attempts on two instances get a result', async () => {
  const instances = [throttle, createThrottle(database.sql)]
  const guesses = await Promise.allSettled(
    Array.from({ length: 25 }, () => instances.map(one => one.guess(keys, password_hash, 'wrong'))).flat(),
  )
  expect(guesses.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('only expired failures are removed', async () => {
  await fail(1, ['address 1', 'account 1'])
  await pass(60)
  await fail(1, ['address 2', 'account 2'])
  await throttle.sweep()
  expect(await database.sql`select from failed_attempts`).toHaveLength(2)
  await fail(9, ['address 2', 'account 2'])
  await expect(guess(RIGHT, ['address 2', 'account 3'])).rejects.toMatchObject(blocked)
})

test('addresses are not stored in plain text', async () => {
  await fail(1)
  const rows = await database.sql<{ key: string }[]>`select key from failed_attempts`
  expect(rows).toHaveLength(2)
  for (const { key } of rows) expect(key).toMatch(/^[\w-]{43}$/)
})
