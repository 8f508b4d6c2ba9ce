// The signed-in user's account: name, password and sessions.
import { describe, expect, test } from 'vitest'
import type { ListedSession } from '../../shared/session.ts'
import { cookieOf } from '../support/account.ts'
import { UUID_V4 } from '../support/blocks.ts'
import { forbidden, invalid, notFound, wrong } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { type Answer, type Call, callTo } from '../support/service.ts'

const PASSWORD = 'correct horse'
const NEXT = 'battery staple'
const DAY = 24 * 3_600_000
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let clock = Date.parse('2026-01-31T12:00:00.000Z')

const service = await runService({ TRUST_PROXY: '1' }, { now: () => clock })

type User = { id: string; email: string; name: string }
type Browser = { call: Call; cookie: string; user: User }

let addresses = 0
const anAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++addresses}` })

const send = (path: string, body: object, headers: Record<string, string>) =>
  callTo(`${service.url}/api`)<{ user: User }>('POST', path, body, headers)

function browserOf({ body, headers }: Answer<{ user: User }>): Browser {
  const cookie = cookieOf(headers)
  return { call: callTo(`${service.url}/api`, { Cookie: cookie, ...anAddress() }), cookie, user: body.user }
}

async function signUp(headers: Record<string, string> = {}): Promise<Browser> {
  const body = { email: `${crypto.randomUUID()}@example.com`, password: PASSWORD, name: 'Ann' }
  return browserOf(await send('/auth/sign-up/email', body, headers))
}

const signInWith = (email: string, password: string, headers: Record<string, string> = {}) =>
  send('/auth/sign-in/email', { email, password }, { ...anAddress(), ...headers })

const signIn = async ({ user }: Browser, headers: Record<string, string> = {}) =>
  browserOf(await signInWith(user.email, PASSWORD, headers))

const patch = ({ call }: Browser, body: unknown) => call('PATCH', '/auth/account', body)
const sessionsOf = async ({ call }: Browser) => (await call<ListedSession[]>('GET', '/auth/sessions')).body
const isSignedIn = async ({ call }: Browser) => (await call('GET', '/auth/get-session')).status === 200

describe('the name', () => {
  test('the name changes without the password and is trimmed', async () => {
    const ann = await signUp()
    const changed = { user: { ...ann.user, name: 'Ann Example' } }
    expect(await patch(ann, { name: ' Ann Example ' })).toMatchObject({ status: 200, body: changed })
    expect((await ann.call('GET', '/auth/get-session')).body).toEqual(changed)
  })

  test("the name stays if it is missing; email and id can't change", async () => {
    const ann = await signUp()
    const body = { email: 'other@example.com', id: crypto.randomUUID(), current_password: PASSWORD }
    for (const nothing of [{}, body])
      expect(await patch(ann, nothing)).toMatchObject({ status: 200, body: { user: ann.user } })
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(200)
  })

  test('the name changes for this user only', async () => {
    const [ann, bob] = [await signUp(), await signUp()]
    await patch(ann, { name: 'Changed' })
    expect((await bob.call('GET', '/auth/get-session')).body).toEqual({ user: bob.user })
  })
})

const next = (field: 'current_password' | 'new_password', rule: string, ...values: unknown[]) =>
  wrong(field, rule, ...values).map(([body, message]): [object, string] => [
    { new_password: NEXT, ...(field === 'new_password' && { current_password: PASSWORD }), ...body },
    message,
  ])

test.each<[unknown, string]>([
  ...wrong('name', 'is required', '', '  '),
  ...wrong('name', 'must be a string', null),
  ...wrong('name', 'must be at most 100 characters', 'x'.repeat(101)),
  ...next('current_password', 'is required', undefined, ''),
  ...next('current_password', 'must be a string', 12345678),
  ...next('new_password', 'is required', ''),
  ...next('new_password', 'must be a string', null),
  ...next('new_password', 'must be 8 to 128 characters', '1234567', 'x'.repeat(129)),
  [{ name: 'Ann\0', new_password: NEXT, current_password: PASSWORD }, 'name must not contain NUL'],
  [[], 'The request body must be a JSON object'],
])('PATCH with %j returns 400: %s', async (body, error) => {
  const ann = await signUp()
  expect(await patch(ann, body)).toMatchObject(invalid(error))
  expect((await ann.call('GET', '/auth/get-session')).body).toEqual({ user: ann.user })
})

describe('a new password', () => {
  test("a new password signs in from then on; the old password doesn't", async () => {
    const ann = await signUp()
    const response = await patch(ann, { current_password: PASSWORD, new_password: NEXT })
    expect(response).toMatchObject({ status: 200, body: { user: ann.user } })
    expect(JSON.stringify(response.body)).not.toMatch(/password|argon/)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(401)
    expect((await signInWith(ann.user.email, NEXT)).status).toBe(200)
  })

  test('a new password can change together with the name', async () => {
    const ann = await signUp()
    expect(await patch(ann, { name: 'Both', current_password: PASSWORD, new_password: NEXT })).toMatchObject({
      status: 200,
      body: { user: { name: 'Both' } },
    })
  })

  test('a new password needs the current password; a wrong one changes nothing, not even the name', async () => {
    const ann = await signUp()
    const other = await signIn(ann)
    const body = { name: 'Changed', current_password: 'wrong', new_password: NEXT }
    const response = await patch(ann, body)
    expect(response).toMatchObject(forbidden('Invalid password'))
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect((await ann.call('GET', '/auth/get-session')).body).toEqual({ user: ann.user })
    expect(await isSignedIn(other)).toBe(true)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(200)
  })

  test('a new password ends all other sessions and renews the token of this one', async () => {
    const ann = await signUp()
    const other = await signIn(ann)
    const stranger = await signUp()
    const [before] = await sessionsOf(ann).then(all => all.filter(({ current }) => current))
    const response = await patch(ann, { current_password: PASSWORD, new_password: NEXT })
    expect(response.headers.get('Set-Cookie')).toMatch(/^session=.*HttpOnly; SameSite=Lax$/)
    expect(await isSignedIn(ann)).toBe(false)
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(stranger)).toBe(true)
    const renewed = browserOf({ ...response, body: { user: ann.user } })
    expect(await sessionsOf(renewed)).toEqual([before])
  })

  test('a new password set by several browsers at the same time signs in with exactly one of them', async () => {
    const ann = await signUp()
    const browsers = [ann, await signIn(ann), await signIn(ann)]
    const change = (i: number) => ({ current_password: PASSWORD, new_password: `${NEXT} ${i}` })
    const responses = await Promise.all(browsers.map((browser, i) => patch(browser, change(i))))
    const winner = responses.findIndex(({ status }) => status === 200)
    const others = responses.filter((_, i) => i !== winner)
    for (const other of others) expect([401, 403]).toContain(other.status)
    for (let i = 0; i < browsers.length; i++) {
      const { status } = await signInWith(ann.user.email, `${NEXT} ${i}`)
      expect(status).toBe(i === winner ? 200 : 401)
    }
  })
})

describe('wrong passwords', () => {
  const guess = (browser: Browser, address: object, current_password = 'wrong') =>
    browser.call('PATCH', '/auth/account', { current_password, new_password: NEXT }, { ...address })

  test('after ten wrong passwords in a minute, the account gets 429 from every address, even with the right password', async () => {
    const ann = await signUp()
    for (let i = 0; i < 10; i++)
      expect(await guess(ann, anAddress())).toMatchObject(forbidden('Invalid password'))
    const limited = await guess(ann, anAddress(), PASSWORD)
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(429)
    expect((await patch(ann, { name: 'Still' })).status).toBe(200)
  })

  test('after ten wrong passwords in a minute, the address gets 429 for every account', async () => {
    const here = anAddress()
    for (let i = 0; i < 5; i++) {
      const one = await signUp()
      for (let j = 0; j < 2; j++) expect((await guess(one, here)).status).toBe(403)
    }
    const bob = await signUp()
    expect((await guess(bob, here, PASSWORD)).status).toBe(429)
    expect((await guess(bob, anAddress(), PASSWORD)).status).toBe(200)
  })
})

describe('the list of sessions', () => {
  test('the list of sessions has the browser and times of each, last used first, and no token', async () => {
    const ann = await signUp({ 'User-Agent': FIREFOX })
    const first = clock
    clock += 2 * DAY
    const other = await signIn(ann, { 'User-Agent': 'curl/8.5.0' })
    clock += 1_000
    const list = await sessionsOf(ann)
    const iso = (ms: number) => new Date(ms).toISOString()
    const seen = (created: number, used: number) => ({
      id: expect.stringMatching(UUID_V4),
      created_at: iso(created),
      last_used_at: iso(used),
      expires_at: iso(used + 30 * DAY),
    })
    expect(list).toStrictEqual([
      { current: true, user_agent: FIREFOX, ...seen(first, clock) },
      { current: false, user_agent: 'curl/8.5.0', ...seen(clock - 1_000, clock - 1_000) },
    ])
    expect(await sessionsOf(other)).toMatchObject([{ current: false }, { current: true }])
    clock += 3_600_000
    await isSignedIn(other)
    expect(await sessionsOf(other)).toMatchObject([{ current: true }, { current: false }])
  })

  test('the list of sessions leaves out expired sessions and those of others', async () => {
    const ann = await signUp()
    await signUp()
    clock += 30 * DAY
    const later = await signIn(ann)
    expect(await sessionsOf(later)).toMatchObject([{ current: true }])
  })
})

describe('ending a session', () => {
  test('ending a session signs out that session only', async () => {
    const ann = await signUp()
    const [two, three] = [await signIn(ann), await signIn(ann)]
    const id = (await sessionsOf(two)).find(({ current }) => current)?.id
    const response = await ann.call('DELETE', `/auth/sessions/${id}`)
    expect(response).toMatchObject({ status: 204, body: null })
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect(await Promise.all([ann, two, three].map(isSignedIn))).toEqual([true, false, true])
    expect(await ann.call('DELETE', `/auth/sessions/${id}`)).toMatchObject(notFound('Session'))
  })

  test('ending the current session also clears the cookie', async () => {
    const ann = await signUp()
    const [own] = await sessionsOf(ann)
    const response = await ann.call('DELETE', `/auth/sessions/${own?.id}`)
    expect(response.status).toBe(204)
    expect(response.headers.get('Set-Cookie')).toMatch(/^session=; Max-Age=0/)
    expect(await isSignedIn(ann)).toBe(false)
  })

  test('ending a session of another user, or with an unknown id, returns 404 and ends nothing', async () => {
    const [ann, bob] = [await signUp(), await signUp()]
    const [bobs] = await sessionsOf(bob)
    for (const id of [bobs?.id, crypto.randomUUID(), 'x', '%00', 'end-others'])
      expect(await ann.call('DELETE', `/auth/sessions/${id}`)).toMatchObject(notFound('Session'))
    expect(await isSignedIn(bob)).toBe(true)
  })

  test('ending all other sessions at once returns their number', async () => {
    const ann = await signUp()
    const others = [await signIn(ann), await signIn(ann)]
    const bob = await signUp()
    const end = () => ann.call('POST', '/auth/sessions/end-others')
    expect(await end()).toMatchObject({ status: 200, body: { ended: 2 } })
    expect(await Promise.all([ann, bob, ...others].map(isSignedIn))).toEqual([true, true, false, false])
    expect(await end()).toMatchObject({ status: 200, body: { ended: 0 } })
    expect(await sessionsOf(ann)).toHaveLength(1)
  })
})
