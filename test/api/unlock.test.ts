// Unlocking a protected workspace with its password, and the access that the cookie gives.
import { beforeEach, describe, expect, test } from 'vitest'
import { unlockCookie } from '../../server/auth/unlocks.ts'
import { type Account, cookieOf, createAccount } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { failed, forbidden, invalid, unauthorized } from '../support/errors.ts'
import { enter } from '../support/pass.ts'
import { runService } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'

const DAY = 24 * 3_600_000

let ann: Account
let channel_id: string
let clock = Date.now()
/** Each request comes from its own address, unless a test says otherwise. */
let address = 0

const service = await runService({ TRUST_PROXY: '1' }, { now: () => clock })
beforeEach(async () => {
  ann = await protectedAccount()
  channel_id = await createChannel(ann)
})

const locked = (workspace_id = ann.workspace_id) => ({
  status: 401,
  body: { error: 'Password required', workspace_id },
})
/** An owner with a protected workspace. */
async function protectedAccount(): Promise<Account> {
  const account = await createAccount(service)
  await patchWorkspace(account, { visibility: 'protected', password: PASSWORD })
  return account
}
const anyone = () => callTo(`${service.url}/api`, { 'X-Forwarded-For': `10.0.0.${++address}` })
const unlock = (fields: object) => anyone()('POST', '/channel-unlock', { password: PASSWORD, ...fields })
const view = (cookie: string) =>
  anyone()('GET', `/channels/${channel_id}/view`, undefined, { Cookie: cookie })
const unlocked = async () => cookieOf((await unlock({ workspace_id: ann.workspace_id })).headers)

test.each([
  ['workspace_id', () => ({ workspace_id: ann.workspace_id })],
  ['workspace_id in capitals', () => ({ workspace_id: ann.workspace_id.toUpperCase() })],
  ['channel_id', () => ({ channel_id })],
])('unlocking by %s returns {unlocked, workspace_id} and gives access', async (_, name) => {
  const { status, body, headers } = await unlock(name())
  expect(status).toBe(200)
  expect(body).toStrictEqual({ unlocked: true, workspace_id: ann.workspace_id })
  expect((await view('')).status).toBe(401)
  expect((await view(cookieOf(headers))).status).toBe(200)
})

test('unlocking by slug accepts the generated and the custom one', async () => {
  const custom_slug = `s-${crypto.randomUUID().slice(0, 20)}`
  await patchWorkspace(ann, { custom_slug })
  const { body } = await ann.session('GET', `/workspaces/${ann.workspace_id}`)
  for (const slug of [custom_slug, body.slug])
    expect(await unlock({ slug })).toMatchObject({ status: 200, body: { workspace_id: ann.workspace_id } })
})

test('the cookie is HttpOnly, SameSite=Lax, for all paths and 30 days', async () => {
  const { headers } = await unlock({ workspace_id: ann.workspace_id })
  const [, ...attributes] = (headers.get('Set-Cookie') ?? '').split('; ')
  expect(attributes).toEqual(['Max-Age=2592000', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
})

test('over https the cookie is Secure', () => {
  const options = { secure: true, now: clock }
  expect(unlockCookie('secret', ann.workspace_id, 1, options)).toMatch(/; Secure$/)
})

describe('the cookie', () => {
  test('the unlock cookie gives access for 30 days', async () => {
    const cookie = await unlocked()
    clock += 30 * DAY - 1
    expect((await view(cookie)).status).toBe(200)
    clock += 1
    expect(await view(cookie)).toMatchObject(locked())
  })

  test('the unlock cookie gives access to that workspace only, and works beside other cookies', async () => {
    const bob = await protectedAccount()
    const theirs = await createChannel(bob)
    const cookie = await unlocked()
    const look = (cookies: string) =>
      anyone()('GET', `/channels/${theirs}/view`, undefined, { Cookie: cookies })
    expect(await look(cookie)).toMatchObject(locked(bob.workspace_id))
    const both = `${cookie}; ${cookieOf((await unlock({ channel_id: theirs })).headers)}`
    expect((await look(both)).status).toBe(200)
    expect((await view(both)).status).toBe(200)
  })

  test.each([
    ['the password', [{ password: 'another one' }]],
    ['the password to the same', [{ password: PASSWORD }]],
    ['the visibility', [{ visibility: 'private' }, { visibility: 'protected' }]],
    ['the visibility to public', [{ visibility: 'public' }, { visibility: 'protected' }]],
  ])('the unlock cookie gives no access after a change of %s', async (_, changes) => {
    const cookie = await unlocked()
    expect((await view(cookie)).status).toBe(200)
    for (const change of changes) await patchWorkspace(ann, change)
    expect(await view(cookie)).toMatchObject(locked())
  })

  test.each([{ name: 'Other' }, { visibility: 'protected' }, { layout: 'grid', show_search: false }])(
    'the unlock cookie outlives a PATCH of %j',
    async change => {
      const cookie = await unlocked()
      await patchWorkspace(ann, change)
      expect((await view(cookie)).status).toBe(200)
    },
  )

  test('the unlock cookie gives no access to a private workspace', async () => {
    const cookie = await unlocked()
    await patchWorkspace(ann, { visibility: 'private' })
    expect(await view(cookie)).toMatchObject(unauthorized)
  })

  test('the unlock cookie with a forged value gives no access', async () => {
    const [name = '', value = ''] = (await unlocked()).split('=')
    const forged = `${ann.workspace_id}.9.${clock + DAY}`
    for (const cookie of [
      // Changes a character in the middle, because the last one has unused bits.
      `${name}=${value.replace(/\.([^.])([^.]*)$/, (_, first, rest) => `.${first === 'A' ? 'B' : 'A'}${rest}`)}`,
      `${name}=${forged}`,
      `${name}=${Buffer.from(forged).toString('base64url')}.${value.split('.').at(-1)}`,
      `${name}=`,
      `session=${value}`,
    ])
      expect((await view(cookie)).status, cookie).toBe(401)
  })
})

describe('errors', () => {
  test('a wrong password returns 403 and no cookie', async () => {
    const response = await unlock({ workspace_id: ann.workspace_id, password: 'wrong' })
    expect(response).toMatchObject(forbidden('Invalid password'))
    expect(response.headers.get('Set-Cookie')).toBeNull()
  })

  test.each(['private', 'public'])('unlocking a %s workspace returns 400', async visibility => {
    await patchWorkspace(ann, { visibility })
    expect((await unlock({ workspace_id: ann.workspace_id })).status).toBe(400)
    expect((await unlock({ channel_id })).status).toBe(400)
  })

  test.each([
    [{ workspace_id: 'x' }, 'Workspace not found'],
    [{ workspace_id: crypto.randomUUID() }, 'Workspace not found'],
    [{ slug: 'no-such-slug' }, 'Workspace not found'],
    [{ slug: '' }, 'Workspace not found'],
    [{ channel_id: 'x' }, 'Channel not found'],
    [{ channel_id: crypto.randomUUID() }, 'Channel not found'],
  ])('unlocking with %j returns 404: %s', async (name, error) => {
    expect(await unlock(name)).toMatchObject(failed(404, error))
  })

  test.each([
    [{}, 'workspace_id is required'],
    [{ workspace_id: 1 }, 'workspace_id must be a string'],
    [{ workspace_id: 'x', password: undefined }, 'password is required'],
    [{ workspace_id: 'x', password: '' }, 'password is required'],
    [{ workspace_id: 'x', password: 1 }, 'password must be a string'],
  ])('unlocking with %j returns 400: %s', async (body, error) => {
    expect(await unlock(body)).toMatchObject(invalid(error))
  })
})

describe('failures', () => {
  test("after ten failures in a minute, the workspace gets 429, even for the right password; others don't", async () => {
    const wrong = () => unlock({ workspace_id: ann.workspace_id, password: 'wrong' })
    const responses = await times(14, wrong)
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter(status => status === 403)).toHaveLength(10)
    expect(statuses.filter(status => status === 429)).toHaveLength(4)
    const right = await unlock({ channel_id })
    expect(right.status).toBe(429)
    expect(Number(right.headers.get('Retry-After'))).toBeGreaterThan(0)
    expect(right.headers.get('Set-Cookie')).toBeNull()
    const bob = await protectedAccount()
    expect((await unlock({ workspace_id: bob.workspace_id })).status).toBe(200)
  })

  test('after ten failures in a minute, the address gets 429 for every workspace', async () => {
    const from = callTo(`${service.url}/api`, { 'X-Forwarded-For': '10.9.9.9' })
    for (const { workspace_id } of [await protectedAccount(), await protectedAccount()]) {
      const wrong = { workspace_id, password: 'wrong' }
      for (let i = 0; i < 5; i++) expect((await from('POST', '/channel-unlock', wrong)).status).toBe(403)
    }
    const right = { workspace_id: ann.workspace_id, password: PASSWORD }
    expect((await from('POST', '/channel-unlock', right)).status).toBe(429)
    expect((await unlock(right)).status).toBe(200)
  })
})

test('signing out removes the unlocks from the browser, and closes the pages that they opened', async () => {
  const bob = await createAccount(service)
  const both = `${bob.cookie}; ${await unlocked()}; other=1`
  expect((await view(both)).status).toBe(200)
  const socket = await enter(service.url, channel_id, { cookie: both })
  const { headers } = await anyone()('POST', '/auth/sign-out', undefined, { Cookie: both })
  const name = `unlock_${ann.workspace_id.replaceAll('-', '')}`
  const removed = headers.getSetCookie().filter(cookie => cookie.includes('Max-Age=0'))
  expect(removed.map(cookie => cookie.split('=')[0])).toEqual(['session', name])
  expect(removed[1]).toBe(`${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax`)
  expect(await socket.closed).toBe(4401)
})
