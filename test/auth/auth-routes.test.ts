// Signing up, in and out, over HTTP.
import { describe, expect, test, vi } from 'vitest'
import { type Browser, listenForNotices, openBrowser } from '../support/browser.ts'
import { failed, forbidden, invalid, unauthorized, wrong } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'

const service = await runService({ TRUST_PROXY: '1' })
const notices = await listenForNotices(service)

const open = (address?: string): Browser => openBrowser(service, address)
const ended = () => notices.filter(({ kind }) => kind === 'session_ended').length

/** Runs `work`, which ends one session and publishes that. */
async function expectSessionEnded(work: () => Promise<unknown>): Promise<void> {
  const before = ended()
  await work()
  await vi.waitUntil(() => ended() > before)
  expect(ended()).toBe(before + 1)
}

const password = 'correct horse'
const wrongPassword = failed(401, 'Invalid email or password')
let accounts = 0

const signUp = (browser: Browser, body: object) => browser.send('POST', '/api/auth/sign-up/email', body)
const signIn = (browser: Browser, body: object) => browser.send('POST', '/api/auth/sign-in/email', body)
const getSession = (browser: Browser, Cookie?: string) =>
  browser.send('GET', '/api/auth/get-session', undefined, Cookie === undefined ? {} : { Cookie })

async function signedUp() {
  const browser = open()
  const email = `user${++accounts}@example.com`
  return { browser, email, response: await signUp(browser, { email, password, name: 'Ann' }) }
}

describe('sign-up', () => {
  test('sign-up returns the user, trimmed and in lower case, and signs in', async () => {
    const browser = open()
    const body = { email: ' Ann@Example.COM ', password, name: ' Ann Example ' }
    const response = await signUp(browser, body)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const user = { id, email: 'ann@example.com', name: 'Ann Example' }
    expect(response).toMatchObject({ status: 200, body: { user } })
    expect(response.headers.get('Set-Cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(await getSession(browser)).toMatchObject({ status: 200, body: response.body })
  })

  test('sign-up never returns or stores the password', async () => {
    const { response, email } = await signedUp()
    expect(JSON.stringify(response.body)).not.toMatch(/password|argon/)
    const [row] = await service.sql`select * from users where email = ${email}`
    expect(JSON.stringify(row)).not.toContain(password)
  })

  test('sign-up rejects a known email in any case', async () => {
    const { email } = await signedUp()
    const again = await signUp(open(), { email: email.toUpperCase(), password, name: 'Again' })
    expect(again).toMatchObject(invalid('email is already registered'))
  })

  test('sign-up creates one user if sent twice at the same time', async () => {
    const body = { email: 'twice@example.com', password, name: 'Ann' }
    const responses = await times(3, () => signUp(open(), body))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  test.each([
    ...wrong('email', 'is required', undefined, '  '),
    ...wrong('email', 'must be a string', null),
    ...wrong('email', 'must be a valid e-mail address', 'ann'),
    ...wrong('email', 'must be at most 254 characters', `${'a'.repeat(250)}@x.de`),
    ...wrong('password', 'is required', undefined),
    ...wrong('password', 'must be 8 to 128 characters', '1234567', '😀'.repeat(7), 'x'.repeat(129)),
    ...wrong('name', 'is required', undefined, ' '),
    ...wrong('name', 'must be at most 100 characters', 'x'.repeat(101)),
  ])('sign-up with %j returns 400: %s', async (body, error) => {
    const given = { email: 'a@x.de', password, name: 'A', ...body }
    expect(await signUp(open(), given)).toMatchObject(invalid(error))
  })
})

test('closed sign-ups allow exactly one first user', async () => {
  const closed = await startTestService({ TRUST_PROXY: '1', SIGNUPS: 'closed' })
  const signUpAs = (email: string) => signUp(openBrowser(closed), { email, password, name: 'Ann' })
  const first = await times(3, i => signUpAs(`${i}@example.com`))
  expect(first.map(({ status }) => status).sort()).toEqual([200, 403, 403])
  expect(await signUpAs('later@example.com')).toMatchObject(forbidden('Sign-ups are closed'))
  await closed.stop()
})

describe('sign-in', () => {
  test('sign-in returns the user and sets the cookie', async () => {
    const { email, response } = await signedUp()
    const browser = open()
    const signedIn = { status: 200, body: response.body }
    expect(await signIn(browser, { email: email.toUpperCase(), password })).toMatchObject(signedIn)
    expect(await getSession(browser)).toMatchObject(signedIn)
  })

  test('sign-in returns the same for a wrong password and an unknown user', async () => {
    const { email } = await signedUp()
    const browser = open()
    for (const body of [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: 'no address', password },
    ])
      expect(await signIn(browser, body)).toMatchObject(wrongPassword)
    expect(browser.cookie()).toBe('')
  })

  test('sign-in ends the browser’s previous session and publishes that', async () => {
    const { browser, email } = await signedUp()
    const before = browser.cookie()
    await expectSessionEnded(() => signIn(browser, { email, password }))
    expect(await getSession(open(), before)).toMatchObject({ status: 401 })
  })

  test.each([
    [{ password }, 'email is required'],
    [{ email: 'a@x.de' }, 'password is required'],
    [{ email: 'a@x.de', password: 12345678 }, 'password must be a string'],
  ])('sign-in with %j returns 400: %s', async (body, error) => {
    expect(await signIn(open(), body)).toMatchObject(invalid(error))
  })
})

describe('failures', () => {
  test('after ten failures in a minute, an address is blocked for every user, even with the correct password', async () => {
    const { email } = await signedUp()
    const guesser = open('203.0.113.1')
    for (let i = 0; i < 10; i++)
      expect(await signIn(guesser, { email: `guess${i}@example.com`, password })).toMatchObject(wrongPassword)
    const blocked = await signIn(guesser, { email, password })
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect(guesser.cookie()).toBe('')
    expect((await signIn(open(), { email, password })).status).toBe(200)
  })

  test('after ten failures in a minute, a user is blocked from every address, even with the correct password', async () => {
    const { email } = await signedUp()
    for (let i = 0; i < 10; i++)
      expect(await signIn(open(), { email, password: `guess ${i}` })).toMatchObject(wrongPassword)
    expect((await signIn(open(), { email, password })).status).toBe(429)
  })
})

test('sign-out ends the session, drops the cookie and publishes that', async () => {
  const { browser } = await signedUp()
  const cookie = browser.cookie()
  await expectSessionEnded(async () => {
    const response = await browser.send('POST', '/api/auth/sign-out')
    expect(response).toMatchObject({ status: 200, body: { success: true } })
    expect(browser.cookie()).toBe('session=')
  })
  expect(await getSession(browser, cookie)).toMatchObject(unauthorized)
})
