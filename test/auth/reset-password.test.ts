// Links that set a new password, over HTTP.
import { randomUUID } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { createPasswordReset, deleteExpiredPasswordResets } from '../../server/model/password-resets.ts'
import { createAccount, OWN_PASSWORD, signIn } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { failed, forbidden, invalid, notFound, wrong } from '../support/errors.ts'
import { runIdentityProvider } from '../support/identity-provider.ts'
import { runInstances, runService } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'
import { watchSynced } from '../support/viewer.ts'

const NEXT = 'battery staple'

const { here: service, there } = await runInstances({ TRUST_PROXY: '1' })
const { sql } = service
const invalidLink = notFound('Reset link')
const success = { status: 200, body: { success: true } }

let addresses = 0

const reset = (token: string, password = NEXT, { at = service, address = `192.0.2.${++addresses}` } = {}) =>
  callTo(`${at.url}/api`, { 'X-Forwarded-For': address })('POST', '/auth/reset-password', { token, password })

const signInStatus = async (email: string, password: string) =>
  (await callTo(`${service.url}/api`)('POST', '/auth/sign-in/email', { email, password })).status

describe('a reset link', () => {
  test('M4: a reset link sets the password once', async () => {
    const { user_id, email } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const response = await reset(token)
    expect(response).toMatchObject(success)
    expect(response.headers.get('Set-Cookie')).toBeNull()
    expect(await signInStatus(email, NEXT)).toBe(200)
    expect(await signInStatus(email, OWN_PASSWORD)).toBe(401)
    expect(await reset(token, 'a third one')).toMatchObject(invalidLink)
    expect(await signInStatus(email, NEXT)).toBe(200)
  })

  test('M4: of parallel requests with one link, on two instances, one sets its password', async () => {
    const { user_id, email } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const responses = await times(6, i => reset(token, `${NEXT} ${i}`, { at: i % 2 ? service : there }))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404])
    for (const [i, { status }] of responses.entries())
      expect(await signInStatus(email, `${NEXT} ${i}`)).toBe(status === 200 ? 200 : 401)
  })

  test('a new link voids the one before', async () => {
    const { user_id } = await createAccount(service)
    const [first, second] = [await createPasswordReset(sql, user_id), await createPasswordReset(sql, user_id)]
    expect(await reset(first)).toMatchObject(invalidLink)
    expect(await reset(second)).toMatchObject(success)
  })

  test('a link ends after an hour, and its row is deleted then', async () => {
    const { user_id } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const left = () => sql<{ minutes: number }[]>`
      select round(extract(epoch from expires_at - now()) / 60)::integer as minutes from password_resets
      where user_id = ${user_id}`
    expect(await left()).toEqual([{ minutes: 60 }])
    await sql`update password_resets set expires_at = now() - interval '1 ms' where user_id = ${user_id}`
    expect(await reset(token)).toMatchObject(invalidLink)
    await deleteExpiredPasswordResets(sql)
    expect(await left()).toEqual([])
  })

  test('a link is stored only as a hash of its token', async () => {
    const { user_id } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    expect(token).toMatch(/^[\w-]{43}$/)
    const rows = await sql`select * from password_resets where user_id = ${user_id}`
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  test('a request with a GET does nothing', async () => {
    const { user_id } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const call = callTo(`${service.url}/api`)
    expect((await call('GET', `/auth/reset-password?token=${token}&password=${NEXT}`)).status).toBe(404)
    expect(await reset(token)).toMatchObject(success)
  })

  test.each([
    ...wrong('password', 'must be 8 to 128 characters', 'short', 'x'.repeat(129)),
    ...wrong('password', 'is required', undefined, ''),
    ...wrong('token', 'is required', undefined),
    ...wrong('token', 'must be a string', 7),
  ])('a body with %j returns 400 and leaves the link: %s', async (body, error) => {
    const { user_id } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const call = callTo(`${service.url}/api`)
    expect(await call('POST', '/auth/reset-password', { token, password: NEXT, ...body })).toMatchObject(
      invalid(error),
    )
    expect(await reset(token)).toMatchObject(success)
  })
})

describe('a reset', () => {
  test('a reset ends all sessions and their sockets on every instance, and nothing of others', async () => {
    const ann = await createAccount(service)
    const bob = await createAccount(service)
    const cookie = await signIn(service.url, ann.email)
    const sockets = await Promise.all([
      watchSynced(service.url, await createChannel(ann), { headers: { Cookie: ann.cookie } }),
      watchSynced(there.url, await createChannel(ann), { headers: { Cookie: cookie } }),
    ])
    expect(await reset(await createPasswordReset(sql, ann.user_id))).toMatchObject(success)
    for (const { closes } of sockets) await vi.waitUntil(() => closes.includes(4401))
    for (const Cookie of [ann.cookie, cookie])
      expect((await callTo(`${there.url}/api`, { Cookie })('GET', '/auth/get-session')).status).toBe(401)
    expect((await bob.session('GET', '/auth/get-session')).status).toBe(200)
  })

  test('API keys stay', async () => {
    const ann = await createAccount(service)
    await reset(await createPasswordReset(sql, ann.user_id))
    expect((await ann.key('GET', '/workspaces')).status).toBe(200)
  })
})

describe('wrong tokens', () => {
  test('after ten wrong tokens in a minute, an address gets 429 even with a right one, and no other address does', async () => {
    const { user_id, email } = await createAccount(service)
    const token = await createPasswordReset(sql, user_id)
    const address = '198.51.100.1'
    for (let i = 0; i < 10; i++)
      expect(await reset(randomUUID(), NEXT, { address, at: i % 2 ? service : there })).toMatchObject(
        invalidLink,
      )
    const limited = await reset(token, NEXT, { address })
    expect(limited).toMatchObject(failed(429, 'Too many failed attempts'))
    expect(Number(limited.headers.get('Retry-After'))).toBeGreaterThan(50)
    // Passwords are counted apart.
    const call = callTo(`${service.url}/api`, { 'X-Forwarded-For': address })
    expect((await call('POST', '/auth/sign-in/email', { email, password: OWN_PASSWORD })).status).toBe(200)
    expect(await reset(token)).toMatchObject(success)
  })
})

describe('an account without a password', () => {
  async function withoutPassword() {
    const ann = await createAccount(service)
    await sql`update users set password_hash = null where id = ${ann.user_id}`
    return { ...ann, token: await createPasswordReset(sql, ann.user_id) }
  }

  test('a reset gives an account that has no password one', async () => {
    const { token, email } = await withoutPassword()
    expect(await signInStatus(email, OWN_PASSWORD)).toBe(401)
    expect(await reset(token)).toMatchObject(success)
    expect(await signInStatus(email, NEXT)).toBe(200)
  })

  test('with PASSWORD_SIGN_IN=off, a reset changes passwords and gives nobody a first one', async () => {
    const provider = await runIdentityProvider()
    const off = await runService(
      { ...provider.env, PASSWORD_SIGN_IN: 'off', PUBLIC_URL: '', TRUST_PROXY: '1' },
      { database: service.database },
    )
    const { token } = await withoutPassword()
    expect(await reset(token, NEXT, { at: off })).toMatchObject(forbidden('Password sign-in is turned off'))
    expect(await reset(token)).toMatchObject(success)
    const { user_id } = await createAccount(service)
    expect(await reset(await createPasswordReset(sql, user_id), NEXT, { at: off })).toMatchObject(success)
  })
})
