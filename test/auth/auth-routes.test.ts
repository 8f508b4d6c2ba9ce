// Signing up, in and out, over HTTP.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Browser, listenForNotices, openBrowser } from '../support/browser.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
let notices: { kind: string }[]

beforeAll(async () => {
  service = await startTestService({ TRUST_PROXY: '1' })
  notices = await listenForNotices(service)
})
afterAll(() => service.stop())

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

async function signedUp(address?: string) {
  const browser = open(address)
  const email = `user${++accounts}@example.com`
  const answer = await browser.send('POST', '/api/auth/sign-up/email', { email, password, name: 'Ann' })
  return { browser, email, answer }
}

describe('sign-up', () => {
  test('returns the user, trimmed and in lower case, and signs in', async () => {
    const browser = open()
    const body = { email: ' Ann@Example.COM ', password, name: ' Ann Example ' }
    const answer = await browser.send('POST', '/api/auth/sign-up/email', body)
    expect(answer).toMatchObject({
      status: 200,
      body: {
        user: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), email: 'ann@example.com', name: 'Ann Example' },
      },
    })
    expect(answer.headers.get('Set-Cookie')).toMatch(/HttpOnly; SameSite=Lax$/)
    expect(await browser.send('GET', '/api/auth/get-session')).toMatchObject({
      status: 200,
      body: answer.body,
    })
  })

  test('never returns or stores the password', async () => {
    const { answer, email } = await signedUp()
    expect(JSON.stringify(answer.body)).not.toMatch(/password|argon/)
    const [row] = await service.sql`select * from users where email = ${email}`
    expect(JSON.stringify(row)).not.toContain(password)
  })

  test('refuses a known email in any case', async () => {
    const { email } = await signedUp()
    const body = { email: email.toUpperCase(), password, name: 'Again' }
    const answer = await open().send('POST', '/api/auth/sign-up/email', body)
    expect(answer).toMatchObject({ status: 400, body: { error: 'email is already registered' } })
  })

  test('creates one user if sent twice at the same time', async () => {
    const body = { email: 'twice@example.com', password, name: 'Ann' }
    const answers = await Promise.all(
      [1, 2, 3].map(() => open().send('POST', '/api/auth/sign-up/email', body)),
    )
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
  ])('with %j is refused: %s', async (body, error) => {
    const answer = await open().send('POST', '/api/auth/sign-up/email', body)
    expect(answer).toMatchObject({ status: 400, body: { error } })
  })
})

describe('closed sign-ups', () => {
  test('allow exactly one first user', async () => {
    const closed = await startTestService({ TRUST_PROXY: '1', SIGNUPS: 'closed' })
    const signUp = (email: string) =>
      openBrowser(closed).send('POST', '/api/auth/sign-up/email', { email, password, name: 'Ann' })
    const first = await Promise.all([1, 2, 3].map(i => signUp(`${i}@example.com`)))
    expect(first.map(answer => answer.status).sort()).toEqual([200, 403, 403])
    expect(await signUp('later@example.com')).toMatchObject({
      status: 403,
      body: { error: 'Sign-ups are closed' },
    })
    await closed.stop()
  })
})

describe('sign-in', () => {
  test('returns the user and sets the cookie', async () => {
    const { email, answer } = await signedUp()
    const browser = open()
    const again = await browser.send('POST', '/api/auth/sign-in/email', {
      email: email.toUpperCase(),
      password,
    })
    expect(again).toMatchObject({ status: 200, body: answer.body })
    expect(await browser.send('GET', '/api/auth/get-session')).toMatchObject({
      status: 200,
      body: answer.body,
    })
  })

  test('returns the same for a wrong password and an unknown user', async () => {
    const { email } = await signedUp()
    const browser = open()
    const signIn = (body: unknown) => browser.send('POST', '/api/auth/sign-in/email', body)
    expect(await signIn({ email, password: 'wrong' })).toMatchObject(wrong)
    expect(await signIn({ email: 'nobody@example.com', password })).toMatchObject(wrong)
    expect(await signIn({ email: 'no address', password })).toMatchObject(wrong)
    expect(browser.cookie()).toBe('')
  })

  test('ends the browser’s previous session and publishes that', async () => {
    const { browser, email } = await signedUp()
    const before = browser.cookie()
    await expectSessionEnded(() => browser.send('POST', '/api/auth/sign-in/email', { email, password }))
    const old = await open().send('GET', '/api/auth/get-session', undefined, { Cookie: before })
    expect(old).toMatchObject({ status: 401 })
  })

  test.each([
    [{ password }, 'email is required'],
    [{ email: 'a@x.de' }, 'password is required'],
    [{ email: 'a@x.de', password: 12345678 }, 'password must be a string'],
  ])('with %j is refused: %s', async (body, error) => {
    const answer = await open().send('POST', '/api/auth/sign-in/email', body)
    expect(answer).toMatchObject({ status: 400, body: { error } })
  })
})

describe('after ten failures in a minute', () => {
  test('an address is refused for every user, even with the correct password', async () => {
    const { email } = await signedUp()
    const guesser = open('203.0.113.1')
    for (let i = 0; i < 10; i++) {
      const body = { email: `guess${i}@example.com`, password }
      expect(await guesser.send('POST', '/api/auth/sign-in/email', body)).toMatchObject(wrong)
    }
    const refused = await guesser.send('POST', '/api/auth/sign-in/email', { email, password })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect(guesser.cookie()).toBe('')
    const elsewhere = await open().send('POST', '/api/auth/sign-in/email', { email, password })
    expect(elsewhere.status).toBe(200)
  })

  test('a user is refused from every address, even with the correct password', async () => {
    const { email } = await signedUp()
    for (let i = 0; i < 10; i++) {
      const guess = await open().send('POST', '/api/auth/sign-in/email', { email, password: `guess ${i}` })
      expect(guess).toMatchObject(wrong)
    }
    const refused = await open().send('POST', '/api/auth/sign-in/email', { email, password })
    expect(refused.status).toBe(429)
  })

  test('a success in between does not reset the count', async () => {
    const { email } = await signedUp()
    const browser = open('203.0.113.2')
    const signIn = (body: unknown) => browser.send('POST', '/api/auth/sign-in/email', body)
    for (let i = 0; i < 9; i++) await signIn({ email: 'nobody2@example.com', password })
    expect(await signIn({ email, password })).toMatchObject({ status: 200 })
    expect(await signIn({ email: 'nobody3@example.com', password })).toMatchObject(wrong)
    expect(await signIn({ email, password })).toMatchObject({ status: 429 })
  })
})

test('at most ten concurrent attempts get a result', async () => {
  const { email } = await signedUp()
  const guesses = Array.from({ length: 30 }, (_, i) =>
    open().send('POST', '/api/auth/sign-in/email', { email, password: `guess ${i}` }),
  )
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
    const old = await browser.send('GET', '/api/auth/get-session', undefined, { Cookie: cookie })
    expect(old).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
  })
})

test.each([
  ['GET', '/api/auth/get-session'],
  ['POST', '/api/auth/sign-out'],
  ['GET', '/api/api-keys'],
  ['POST', '/api/api-keys'],
  ['DELETE', '/api/api-keys/no-id'],
])('%s %s without a session is 401', async (method, path) => {
  const answer = await open().send(method, path)
  expect(answer).toMatchObject({ status: 401, body: { error: 'Unauthorized' } })
})
