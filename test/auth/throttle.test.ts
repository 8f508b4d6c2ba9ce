import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createThrottle } from '../../server/auth/throttle.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const address = 'address 192.0.2.1'
const account = 'account ann@example.com'

async function fail(throttle: ReturnType<typeof createThrottle>, times: number, keys: string[]) {
  for (let i = 0; i < times; i++) await throttle.countFailure(keys)
}

test('nine failures in a minute are borne, the tenth closes the door for a minute', async () => {
  const throttle = createThrottle()
  await fail(throttle, 9, [address])
  await throttle.refuse([address])
  vi.advanceTimersByTime(50_000)
  await fail(throttle, 1, [address])
  await expect(throttle.refuse([address])).rejects.toMatchObject({
    status: 429,
    message: 'Too many failed attempts',
    headers: { 'Retry-After': '60' },
  })
  vi.advanceTimersByTime(59_500)
  await expect(throttle.refuse([address])).rejects.toMatchObject({ headers: { 'Retry-After': '1' } })
  vi.advanceTimersByTime(500)
  await throttle.refuse([address])
})

test('failures are counted per address, whatever the accounts', async () => {
  const throttle = createThrottle()
  for (let i = 0; i < 10; i++) await throttle.countFailure([address, `account ${i}`])
  await expect(throttle.refuse([address, 'account 11'])).rejects.toMatchObject({ status: 429 })
  await throttle.refuse(['address 192.0.2.2', 'account 11'])
})

test('failures are counted per account, whatever the addresses', async () => {
  const throttle = createThrottle()
  for (let i = 0; i < 10; i++) await throttle.countFailure([`address ${i}`, account])
  await expect(throttle.refuse(['address 11', account])).rejects.toMatchObject({ status: 429 })
  await throttle.refuse(['address 11', 'account bob@example.com'])
})

test('a minute after the first failure the count begins anew', async () => {
  const throttle = createThrottle()
  await fail(throttle, 9, [address])
  vi.advanceTimersByTime(60_000)
  await fail(throttle, 9, [address])
  await throttle.refuse([address])
})

test('of guesses made at the same time no more than ten are answered', async () => {
  const throttle = createThrottle()
  const guesses = await Promise.allSettled(
    Array.from({ length: 50 }, async () => {
      await throttle.refuse([address, account])
      await throttle.countFailure([address, account])
    }),
  )
  expect(guesses.filter(guess => guess.status === 'fulfilled')).toHaveLength(10)
})
