// The limit of sign-ups per address. Sign-ups never delay sign-ins.
import { expect, test } from 'vitest'
import { type Browser, openBrowser } from '../support/browser.ts'
import { runService } from '../support/running.ts'

const service = await runService({ TRUST_PROXY: '1', SIGNUP_LIMIT: '3' })
const unlimited = await runService({ TRUST_PROXY: '1' })
const closed = await runService({ TRUST_PROXY: '1', SIGNUPS: 'closed', SIGNUP_LIMIT: '1' })

const password = 'correct horse'
let accounts = 0
const signUp = (browser: Browser, fields: object = {}) => {
  const email = `user${++accounts}@example.com`
  return browser.send('POST', '/api/auth/sign-up/email', { email, password, name: 'Ann', ...fields })
}
const signIn = (browser: Browser, email: string) =>
  browser.send('POST', '/api/auth/sign-in/email', { email, password })
const limited = { status: 429, body: { error: 'Too many sign-ups' } }

test('an address with too many sign-ups is limited, and no other', async () => {
  const browser = openBrowser(service, '203.0.113.1')
  for (let i = 0; i < 3; i++) expect((await signUp(browser)).status).toBe(200)
  const response = await signUp(browser)
  expect(response).toMatchObject(limited)
  // After a third of ten minutes one more is allowed.
  expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(150)
  expect(Number(response.headers.get('Retry-After'))).toBeLessThanOrEqual(200)
  expect((await signUp(openBrowser(service, '203.0.113.2'))).status).toBe(200)
})

test('a limited sign-up creates no user and hashes no password', async () => {
  const browser = openBrowser(service, '203.0.113.3')
  const known = { email: 'known@example.com' }
  expect((await signUp(browser, known)).status).toBe(200)
  // Known emails are checked after the hash, so these count.
  for (let i = 0; i < 2; i++) expect((await signUp(browser, known)).status).toBe(400)
  const before = await service.sql`select from users`
  expect(await signUp(browser, known)).toMatchObject(limited)
  expect(await signUp(browser)).toMatchObject(limited)
  expect(await service.sql`select from users`).toHaveLength(before.length)
})

test('bad input returns 400 first and is not counted', async () => {
  const browser = openBrowser(service, '203.0.113.4')
  const bad = () => signUp(browser, { password: 'short' })
  for (let i = 0; i < 5; i++) expect((await bad()).status).toBe(400)
  for (let i = 0; i < 3; i++) expect((await signUp(browser)).status).toBe(200)
  expect((await bad()).status).toBe(400)
  expect(await signUp(browser)).toMatchObject(limited)
})

test('closed sign-ups return 403 regardless of the limit', async () => {
  const browser = openBrowser(closed, '203.0.113.5')
  expect((await signUp(browser)).status).toBe(200)
  for (let i = 0; i < 3; i++)
    expect(await signUp(browser)).toMatchObject({ status: 403, body: { error: 'Sign-ups are closed' } })
})

test('a sign-in goes before waiting sign-ups, even from the same address', async () => {
  const browser = openBrowser(unlimited, '203.0.113.6')
  const email = 'ann@example.com'
  expect((await signUp(browser, { email })).status).toBe(200)
  const signUpNow = async (i: number) => {
    expect((await signUp(openBrowser(unlimited, i % 2 ? '203.0.113.6' : undefined))).status).toBe(200)
  }
  // Few enough for a busy machine: a request has ten seconds.
  const signUps = Array.from({ length: 30 }, (_, i) => signUpNow(i))
  await Promise.race(signUps)
  // In a shared queue, the sign-up would come first.
  const later = signUpNow(1)
  const signedIn = signIn(openBrowser(unlimited, '203.0.113.6'), email)
  expect(await Promise.race([later.then(() => 'sign-up'), signedIn.then(() => 'sign-in')])).toBe('sign-in')
  expect((await signedIn).status).toBe(200)
  await Promise.all([...signUps, later])
})

test('a flood of failed sign-ins from one address delays nobody else and soon costs no hashes', async () => {
  const ann = openBrowser(unlimited, '203.0.113.7')
  const email = 'bob@example.com'
  expect((await signUp(ann, { email })).status).toBe(200)
  const flooder = openBrowser(unlimited, '203.0.113.8')
  let finished = 0
  const guesses = Array.from({ length: 90 }, (_, i) =>
    signIn(flooder, `nobody${i}@example.com`).then(({ status }) => {
      finished++
      return status
    }),
  )
  await Promise.race(guesses)
  const before = finished
  expect((await signIn(openBrowser(unlimited, '203.0.113.9'), email)).status).toBe(200)
  expect(finished - before).toBeLessThan(45)
  const statuses = await Promise.all(guesses)
  expect(statuses.filter(status => status === 401)).toHaveLength(10)
  expect(statuses.filter(status => status === 429)).toHaveLength(80)
})
