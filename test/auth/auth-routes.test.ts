// Signing up, in and out, over HTTP.
import { describe, expect, test, vi } from 'vitest'
import { type Browser, listenForNotices, openBrowser } from '../support/browser.ts'
import { unauthorized } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { startTestService } from '../support/service.ts'

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
const wrong = { status: 401, body: { error: 'Invalid email or password' } }
let accounts = 0

const signUp = (browser: Browser, body: object) => browser.send('POST', '/api/auth/sign-up/email', body)
const signIn = (browser: Browser, body: object) => browser.send('POST', '/api/auth/sign-in/email', body)
const getSession = (browser: Browser, Cookie?: string) =>
  browser.send('GET', '/api/auth/get-session', undefined, Cookie === undefined ? {} : { Cookie })

async function signedUp() {
  const browser = open()
  const email = `user${++accounts}@example.com`
  return { browser, email, answer: await signUp(browser, { email, password, name: 'Ann' }) }
}

describe('sign-up', () => {
  test('returns the user, trimmed and in lower case, and signs in', async () => {
    const browser = open()
    const body = { email: ' Ann@Example.COM ', password, name: ' Ann Example ' }
    const answer = await signUp(browser, body)
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/)
    const user = { id, email: 'ann@example.com', name: 'Ann Example' }
    expect(answer).toMatchObject({ status: 200, body: { user } })
    expect(answer.headers.get('Set-Cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(await getSession(browser)).toMatchObject({ status: 200, body: answer.body })
  })

  test('never returns or stores the password', async () => {
    const { answer, email } = await signedUp()
    expect(JSON.stringify(answer.body)).not.toMatch(/password|argon/)
    const [row] = await service.sql`select * from users where email = ${email}`
    expect(JSON.stringify(row)).not.toContain(password)
  })

  test('refuses a known email in any case', async () => {
    const { email } = await signedUp()
    const answer = await signUp(open(), { email: email.toUpperCase(), password, name: 'Again' })
    expect(answer).toMatchObject({ status: 400, body: { error: 'email is already registered' } })
  })

  test('creates one user if sent twice at the same time', async () => {
    const body = { email: 'twice@example.com', password, name: 'Ann' }
    const answers = await Promise.all([1, 2, 3].map(() => signUp(open(), body)))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 400, 400])
  })

  test.each([
    [{ password, name: 'A' }, 'email is required'],
    [{ email: '  ', password, name: 'A' }, 'email is required'],
    [{ email: null, password, name: 'A' }, 'email must be a string'],
    [{ email: 'ann', password, name: 'A' }, 'email must be a valid e-mail address'],
    [{ email: `${'a'.repeat(250)}@x.de`, password, name: 'A' }, 'email must be at most 254 characters'],
    [{ email: 'a@x.de', name: 'A' }, 'password is required'],
    [{ email: 'a@x.de', password: '1234567', name: 'A' }, 'password must be 8 to 128 characters'],
    [{ email: 'a@x.de', password: '😀'.repeat(7), name: 'A' }, 'password must be 8 to 128 characters'],
    [{ email: 'a@x.de', password: 'x'.repeat(129), name: 'A' }, 'password must be 8 to 128 characters'],
    [{ email: 'a@x.de', password }, 'name is required'],
    [{ email: 'a@x.de', password, name: ' ' }, 'name is required'],
    [{ email: 'a@x.de', password, name: 'x'.repeat(101) }, 'name must be at most 100 characters'],
  ])('with %j returns 400: %s', async (body, error) => {
    expect(await signUp(open(), body)).toMatchObject({ status: 400, body: { error } })
  })
})

describe('closed sign-ups', () => {
  test('allow exactly one first user', async () => {
    const closed = await startTestService({ TRUST_PROXY: '1', SIGNUPS: 'closed' })
    const signUpAs = (email: string) => signUp(openBrowser(closed), { email, password, name: 'Ann' })
    const first = await Promise.all([1, 2, 3].map(i => signUpAs(`${i}@example.com`)))
    expect(first.map(answer => answer.status).sort()).toEqual([200, 403, 403])
    const error = 'Sign-ups are closed'
    expect(await signUpAs('later@example.com')).toMatchObject({ status: 403, body: { error } })
    await closed.stop()
  })
})

describe('sign-in', () => {
  test('returns the user and sets the cookie', async () => {
    const { email, answer } = await signedUp()
    const browser = open()
    const signedIn = { status: 200, body: answer.body }
    expect(await signIn(browser, { email: email.toUpperCase(), password })).toMatchObject(signedIn)
    expect(await getSession(browser)).toMatchObject(signedIn)
  })

  test('returns the same for a wrong password and an unknown user', async () => {
    const { email } = await signedUp()
    const browser = open()
    for (const body of [
      { email, password: 'wrong' },
      { email: 'nobody@example.com', password },
      { email: 'no address', password },
    ])
      expect(await signIn(browser, body)).toMatchObject(wrong)
    expect(browser.cookie()).toBe('')
  })

  test('ends the browser’s previous session and publishes that', async () => {
    const { browser, email } = await signedUp()
    const before = browser.cookie()
    await expectSessionEnded(() => signIn(browser, { email, password }))
    expect(await getSession(open(), before)).toMatchObject({ status: 401 })
  })

  test.each([
    [{ password }, 'email is required'],
    [{ email: 'a@x.de' }, 'password is required'],
    [{ email: 'a@x.de', password: 12345678 }, 'password must be a string'],
  ])('with %j returns 400: %s', async (body, error) => {
    expect(await signIn(open(), body)).toMatchObject({ status: 400, body: { error } })
  })
})

describe('after ten failures in a minute', () => {
  test('an address is blocked for every user, even with the correct password', async () => {
    const { email } = await signedUp()
    const guesser = open('203.0.113.1')
    for (let i = 0; i < 10; i++)
      expect(await signIn(guesser, { email: `guess${i}@example.com`, password })).toMatchObject(wrong)
    const blocked = await signIn(guesser, { email, password })
    expect(blocked.status).toBe(429)
    expect(Number(blocked.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect(guesser.cookie()).toBe('')
    expect((await signIn(open(), { email, password })).status).toBe(200)
  })

  test('a user is blocked from every address, even with the correct password', async () => {
    const { email } = await signedUp()
    for (let i = 0; i < 10; i++)
      expect(await signIn(open(), { email, password: `guess ${i}` })).toMatchObject(wrong)
    expect((await signIn(open(), { email, password })).status).toBe(429)
  })

  test('a success in between does not reset the count', async () => {
    const { email } = await signedUp()
    const browser = open('203.0.113.2')
    for (let i = 0; i < 9; i++) await signIn(browser, { email: 'nobody2@example.com', password })
    expect(await signIn(browser, { email, password })).toMatchObject({ status: 200 })
    expect(await signIn(browser, { email: 'nobody3@example.com', password })).toMatchObject(wrong)
    expect(await signIn(browser, { email, password })).toMatchObject({ status: 429 })
  })
})

test('at most ten concurrent attempts get a result', async () => {
  const { email } = await signedUp()
  const guesses = Array.from({ length: 30 }, (_, i) => signIn(open(), { email, password: `guess ${i}` }))
  const answers = await Promise.all(guesses)
  expect(answers.filter(answer => answer.status === 401)).toHaveLength(10)
  expect(answers.filter(answer => answer.status === 429)).toHaveLength(20)
})

describe('sign-out', () => {
  test('ends the session, drops the cookie and publishes that', async () => {
    const { browser } = await signedUp()
    const cookie = browser.cookie()
    await expectSessionEnded(async () => {
      const answer = await browser.send('POST', '/api/auth/sign-out')
      expect(answer).toMatchObject({ status: 200, body: { success: true } })
      expect(browser.cookie()).toBe('session=')
    })
    expect(await getSession(browser, cookie)).toMatchObject(unauthorized)
  })
})
