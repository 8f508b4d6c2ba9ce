// The account of whoever is signed in: its name, its password, and its sessions.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ListedSession } from '../../shared/session.ts'
import { ISO } from '../support/cards.ts'
import { refusal } from '../support/channels.ts'
import { type Answer, type Call, caller, startTestService, type TestService } from '../support/service.ts'

const PASSWORD = 'correct horse'
const NEXT = 'battery staple'
const DAY = 24 * 3_600_000
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

let service: TestService
let clock = Date.parse('2026-01-31T12:00:00.000Z')

beforeAll(async () => {
  service = await startTestService({ TRUST_PROXY: '1' }, { now: () => clock })
})
afterAll(() => service.stop())

type User = { id: string; email: string; name: string }
type Browser = { call: Call; cookie: string; user: User }

let addresses = 0
const anAddress = () => ({ 'X-Forwarded-For': `198.51.100.${++addresses}` })

function browserOf({ body, headers }: Answer<{ user: User }>): Browser {
  const cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
  return { call: caller(`${service.url}/api`, { Cookie: cookie, ...anAddress() }), cookie, user: body.user }
}

async function signUp(headers: Record<string, string> = {}): Promise<Browser> {
  const body = { email: `${randomUUID()}@example.com`, password: PASSWORD, name: 'Ann' }
  return browserOf(await caller(`${service.url}/api`)('POST', '/auth/sign-up/email', body, headers))
}

const signInWith = (email: string, password: string, headers: Record<string, string> = {}) =>
  caller(`${service.url}/api`, anAddress())<{ user: User }>(
    'POST',
    '/auth/sign-in/email',
    { email, password },
    headers,
  )

const signIn = async ({ user }: Browser, headers: Record<string, string> = {}) =>
  browserOf(await signInWith(user.email, PASSWORD, headers))

const patch = ({ call }: Browser, body: unknown) => call('PATCH', '/auth/account', body)
const sessionsOf = async ({ call }: Browser) => (await call<ListedSession[]>('GET', '/auth/sessions')).body
const isSignedIn = async ({ call }: Browser) => (await call('GET', '/auth/get-session')).status === 200

describe('the name', () => {
  test('is changed without the password, and is trimmed', async () => {
    const ann = await signUp()
    const changed = { user: { ...ann.user, name: 'Ann Example' } }
    expect(await patch(ann, { name: ' Ann Example ' })).toMatchObject({ status: 200, body: changed })
    expect((await ann.call('GET', '/auth/get-session')).body).toEqual(changed)
  })

  test('stays where nothing is given; e-mail and id cannot be changed', async () => {
    const ann = await signUp()
    const body = { email: 'other@example.com', id: randomUUID(), current_password: PASSWORD }
    for (const nothing of [{}, body])
      expect(await patch(ann, nothing)).toMatchObject({ status: 200, body: { user: ann.user } })
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(200)
  })

  test('of one user is not another’s', async () => {
    const [ann, bob] = [await signUp(), await signUp()]
    await patch(ann, { name: 'Changed' })
    expect((await bob.call('GET', '/auth/get-session')).body).toEqual({ user: bob.user })
  })
})

test.each([
  [{ name: '' }, 'name is required'],
  [{ name: '  ' }, 'name is required'],
  [{ name: null }, 'name must be a string'],
  [{ name: 'x'.repeat(101) }, 'name must be at most 100 characters'],
  [{ new_password: NEXT }, 'current_password is required'],
  [{ new_password: NEXT, current_password: '' }, 'current_password is required'],
  [{ new_password: NEXT, current_password: 12345678 }, 'current_password must be a string'],
  [{ new_password: '', current_password: PASSWORD }, 'new_password is required'],
  [{ new_password: null, current_password: PASSWORD }, 'new_password must be a string'],
  [{ new_password: '1234567', current_password: PASSWORD }, 'new_password must be 8 to 128 characters'],
  [{ new_password: 'x'.repeat(129), current_password: PASSWORD }, 'new_password must be 8 to 128 characters'],
  [{ name: 'Ann\0', new_password: NEXT, current_password: PASSWORD }, 'name must not contain NUL'],
  [[], 'The request body must be a JSON object'],
])('a PATCH with %j is refused: %s', async (body, error) => {
  const ann = await signUp()
  expect(await patch(ann, body)).toMatchObject(refusal(400, error))
  expect((await ann.call('GET', '/auth/get-session')).body).toEqual({ user: ann.user })
})

describe('a new password', () => {
  test('is the one that signs in from then on', async () => {
    const ann = await signUp()
    const answer = await patch(ann, { current_password: PASSWORD, new_password: NEXT })
    expect(answer).toMatchObject({ status: 200, body: { user: ann.user } })
    expect(JSON.stringify(answer.body)).not.toMatch(/password|argon/)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(401)
    expect((await signInWith(ann.user.email, NEXT)).status).toBe(200)
  })

  test('may come with a new name', async () => {
    const ann = await signUp()
    expect(await patch(ann, { name: 'Both', current_password: PASSWORD, new_password: NEXT })).toMatchObject({
      status: 200,
      body: { user: { name: 'Both' } },
    })
  })

  test('needs the present one; with a wrong one nothing changes, the name neither', async () => {
    const ann = await signUp()
    const other = await signIn(ann)
    const body = { name: 'Changed', current_password: 'wrong', new_password: NEXT }
    const answer = await patch(ann, body)
    expect(answer).toMatchObject(refusal(403, 'Invalid password'))
    expect(answer.headers.get('Set-Cookie')).toBeNull()
    expect((await ann.call('GET', '/auth/get-session')).body).toEqual({ user: ann.user })
    expect(await isSignedIn(other)).toBe(true)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(200)
  })

  test('ends all other sessions, and gives this one another token', async () => {
    const ann = await signUp()
    const other = await signIn(ann)
    const stranger = await signUp()
    const [before] = await sessionsOf(ann).then(all => all.filter(({ current }) => current))
    const answer = await patch(ann, { current_password: PASSWORD, new_password: NEXT })
    expect(answer.headers.get('Set-Cookie')).toMatch(/^session=.*HttpOnly; SameSite=Lax$/)
    expect(await isSignedIn(ann)).toBe(false)
    expect(await isSignedIn(other)).toBe(false)
    expect(await isSignedIn(stranger)).toBe(true)
    const renewed = browserOf({ ...answer, body: { user: ann.user } })
    expect(await sessionsOf(renewed)).toEqual([before])
  })

  test('that two choose at the same time is one of them', async () => {
    const ann = await signUp()
    const browsers = [ann, await signIn(ann), await signIn(ann)]
    const answers = await Promise.all(
      browsers.map((browser, i) =>
        patch(browser, { current_password: PASSWORD, new_password: `${NEXT} ${i}` }),
      ),
    )
    const winner = answers.findIndex(({ status }) => status === 200)
    const others = answers.filter((_, i) => i !== winner)
    for (const other of others) expect([401, 403]).toContain(other.status)
    for (let i = 0; i < browsers.length; i++) {
      const { status } = await signInWith(ann.user.email, `${NEXT} ${i}`)
      expect(status).toBe(i === winner ? 200 : 401)
    }
  })
})

describe('after ten wrong passwords in a minute', () => {
  const guess = (browser: Browser, address: object, current_password = 'wrong') =>
    browser.call('PATCH', '/auth/account', { current_password, new_password: NEXT }, { ...address })

  test('the account is refused from every address, with the right one too, here and at sign-in', async () => {
    const ann = await signUp()
    for (let i = 0; i < 10; i++)
      expect(await guess(ann, anAddress())).toMatchObject(refusal(403, 'Invalid password'))
    const refused = await guess(ann, anAddress(), PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(50)
    expect((await signInWith(ann.user.email, PASSWORD)).status).toBe(429)
    expect((await patch(ann, { name: 'Still' })).status).toBe(200)
  })

  test('the address is refused for every account', async () => {
    const here = anAddress()
    for (let i = 0; i < 5; i++) {
      const one = await signUp()
      for (let j = 0; j < 2; j++) expect((await guess(one, here)).status).toBe(403)
    }
    const bob = await signUp()
    expect((await guess(bob, here, PASSWORD)).status).toBe(429)
    expect((await guess(bob, anAddress(), PASSWORD)).status).toBe(200)
  })

  test('guesses at the same time are answered ten times, the others refused', async () => {
    const ann = await signUp()
    const answers = await Promise.all(Array.from({ length: 30 }, () => guess(ann, anAddress())))
    expect(answers.filter(({ status }) => status === 403)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })
})

describe('the list of sessions', () => {
  test('has each with its browser and its times, the one used last first, and no token', async () => {
    const ann = await signUp({ 'User-Agent': FIREFOX })
    const first = clock
    clock += 2 * DAY
    const other = await signIn(ann, { 'User-Agent': 'curl/8.5.0' })
    clock += 1_000
    const list = await sessionsOf(ann)
    expect(list).toStrictEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        current: true,
        user_agent: FIREFOX,
        created_at: new Date(first).toISOString(),
        last_used_at: new Date(clock).toISOString(),
        expires_at: new Date(clock + 30 * DAY).toISOString(),
      },
      {
        id: expect.any(String),
        current: false,
        user_agent: 'curl/8.5.0',
        created_at: new Date(clock - 1_000).toISOString(),
        last_used_at: new Date(clock - 1_000).toISOString(),
        expires_at: new Date(clock - 1_000 + 30 * DAY).toISOString(),
      },
    ])
    for (const { created_at, last_used_at, expires_at } of list)
      for (const time of [created_at, last_used_at, expires_at]) expect(time).toMatch(ISO)
    expect(await sessionsOf(other)).toMatchObject([{ current: false }, { current: true }])
    clock += 3_600_000
    await isSignedIn(other)
    expect(await sessionsOf(other)).toMatchObject([{ current: true }, { current: false }])
  })

  test('has neither others’ nor expired ones', async () => {
    const ann = await signUp()
    await signUp()
    clock += 30 * DAY
    const later = await signIn(ann)
    expect(await sessionsOf(later)).toMatchObject([{ current: true }])
  })
})

describe('ending a session', () => {
  test('signs it out, and no other', async () => {
    const ann = await signUp()
    const [two, three] = [await signIn(ann), await signIn(ann)]
    const id = (await sessionsOf(two)).find(({ current }) => current)?.id
    const answer = await ann.call('DELETE', `/auth/sessions/${id}`)
    expect(answer).toMatchObject({ status: 204, body: null })
    expect(answer.headers.get('Set-Cookie')).toBeNull()
    expect(await Promise.all([ann, two, three].map(isSignedIn))).toEqual([true, false, true])
    expect(await ann.call('DELETE', `/auth/sessions/${id}`)).toMatchObject(refusal(404, 'Session not found'))
  })

  test('of one’s own drops the cookie, as a sign-out', async () => {
    const ann = await signUp()
    const [own] = await sessionsOf(ann)
    const answer = await ann.call('DELETE', `/auth/sessions/${own?.id}`)
    expect(answer.status).toBe(204)
    expect(answer.headers.get('Set-Cookie')).toMatch(/^session=; Max-Age=0/)
    expect(await isSignedIn(ann)).toBe(false)
  })

  test('that is another user’s, none, or no id is 404, and ends nothing', async () => {
    const [ann, bob] = [await signUp(), await signUp()]
    const [bobs] = await sessionsOf(bob)
    for (const id of [bobs?.id, randomUUID(), 'x', '%00', 'end-others'])
      expect(await ann.call('DELETE', `/auth/sessions/${id}`)).toMatchObject(
        refusal(404, 'Session not found'),
      )
    expect(await isSignedIn(bob)).toBe(true)
  })

  test('may be done to all others at once, and says how many', async () => {
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

describe('without a session, or with a key, or from another page', () => {
  const routes: [string, string][] = [
    ['PATCH', '/auth/account'],
    ['GET', '/auth/sessions'],
    ['DELETE', `/auth/sessions/${randomUUID()}`],
    ['POST', '/auth/sessions/end-others'],
  ]
  test.each(routes)('%s %s is refused', async (method, path) => {
    const ann = await signUp()
    const body = method === 'PATCH' ? { name: 'Changed' } : undefined
    const anyone = caller(`${service.url}/api`)
    expect(await anyone(method, path, body)).toMatchObject(refusal(401, 'Unauthorized'))
    const { body: made } = await ann.call<{ key: string }>('POST', '/api-keys', { name: 'Key' })
    const key = { Authorization: `Bearer ${made.key}` }
    expect(await anyone(method, path, body, key)).toMatchObject(refusal(401, 'Unauthorized'))
    if (method === 'GET') return
    const elsewhere = { Origin: 'https://evil.example' }
    expect(await ann.call(method, path, body, elsewhere)).toMatchObject(refusal(403, 'Access denied'))
  })
})
