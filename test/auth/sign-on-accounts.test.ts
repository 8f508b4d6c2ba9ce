// Which account a single sign-on opens.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { failed, forbidden, invalid, unauthorized } from '../support/errors.ts'
import { type Person, runIdentityProvider } from '../support/identity-provider.ts'
import type { TestService } from '../support/service.ts'
import { openSignOnBrowser, runSignOnService, type SignOnBrowser } from '../support/sign-on.ts'

const LINK = '__Host-oidc_link'
const PASSWORD = 'correct horse'

const provider = await runIdentityProvider()
const inToken = await runIdentityProvider({ in_id_token: true })
const service = await runSignOnService(provider.env)
const trusting = await runSignOnService({ ...provider.env, OIDC_TRUST_EMAIL: '1' }, service)
const fromToken = await runSignOnService(inToken.env, service)
const off = await runSignOnService({ ...provider.env, PASSWORD_SIGN_IN: 'off' }, service)

const open = (at: { url: string } = service) => openSignOnBrowser(at)
const newEmail = () => `${randomUUID()}@example.com`

/** A browser that has signed up with a password. */
async function signedUp(email = newEmail(), at = service) {
  const browser = open(at)
  const body = { email, password: PASSWORD, name: 'Ann' }
  expect((await browser.send('POST', '/auth/sign-up/email', body)).status).toBe(200)
  return { browser, email, user: await browser.user() }
}

const signIn = (browser: SignOnBrowser, email: string, password = PASSWORD) =>
  browser.send('POST', '/auth/sign-in/email', { email, password })
const link = (browser: SignOnBrowser) => browser.send('POST', '/auth/oidc/link', {})

/** Somebody new at the provider, who signs in there from now on. */
function newPerson(claims: Partial<Person> = {}): Person & { email: string } {
  const person = { sub: randomUUID(), email: newEmail(), email_verified: true, ...claims }
  provider.signsIn(person)
  return person
}

const countUsers = async ({ sql }: TestService) => (await sql`select from users`).length

describe('the e-mail address', () => {
  test.each([
    [true, '/', '/'],
    [false, '/sign-in?error=oidc_email', '/sign-in?error=oidc_email'],
    [undefined, '/sign-in?error=oidc_email', '/'],
    ['true', '/sign-in?error=oidc_email', '/sign-in?error=oidc_email'],
    [null, '/sign-in?error=oidc_email', '/sign-in?error=oidc_email'],
  ])(
    'email_verified %j leads a new person to %s, and to %s with OIDC_TRUST_EMAIL=1',
    async (claim, to, trusted) => {
      for (const [at, path] of [
        [service, to],
        [trusting, trusted],
      ] as const) {
        newPerson({ email_verified: claim })
        const before = await countUsers(service)
        const browser = open(at)
        expect(await browser.signOn()).toBe(path)
        const signedIn = path === '/'
        expect((await browser.user()) !== null).toBe(signedIn)
        expect(await countUsers(service)).toBe(before + Number(signedIn))
      }
    },
  )

  test.each([undefined, '', 'no address'])('e-mail address %j creates no account', async email => {
    provider.signsIn({ sub: randomUUID(), email_verified: true, ...(email !== undefined && { email }) })
    expect(await open(trusting).signOn()).toBe('/sign-in?error=oidc_email')
  })

  test('an address that has an account counts only if it is verified', async () => {
    const { email } = await signedUp()
    newPerson({ email, email_verified: false })
    const browser = open(trusting)
    expect(await browser.signOn()).toBe('/sign-in?error=oidc_email')
    expect(browser.cookie(LINK)).toBeUndefined()
  })

  test('the claims of an ID token suffice without the userinfo', async () => {
    inToken.signsIn({ sub: randomUUID(), email: newEmail(), email_verified: true, name: 'Bea' })
    const browser = open(fromToken)
    expect(await browser.signOn()).toBe('/')
    expect(await browser.user()).toMatchObject({ name: 'Bea' })
    expect(inToken.requests).not.toContain('GET /me')
    expect(provider.requests).toContain('GET /me')
  })
})

describe('an account that existed before', () => {
  test('M5: a verified address never signs in to an account; its password, given once, links them for good', async () => {
    const { email, user } = await signedUp()
    newPerson({ email: email.toUpperCase() })
    const browser = open()
    expect(await browser.signOn({ return_to: '/c/1' })).toBe('/sign-in?link=1')
    expect(await browser.user()).toBeNull()
    expect(await link(browser)).toMatchObject(unauthorized)

    expect((await signIn(browser, email)).status).toBe(200)
    const linked = await link(browser)
    expect(linked).toMatchObject({ status: 200, body: { linked: true } })
    expect(browser.cookie(LINK)).toBeUndefined()
    expect(await link(browser)).toMatchObject(invalid('Start single sign-on again'))

    const next = open()
    expect(await next.signOn()).toBe('/')
    expect(await next.user()).toEqual(user)
    // The password still works.
    expect((await signIn(open(), email)).status).toBe(200)
  })

  test('M5: an account that a stranger registered in advance stays theirs, and opens nothing for the real person', async () => {
    const { email, browser: stranger } = await signedUp()
    newPerson({ email })
    const real = open()
    expect(await real.signOn()).toBe('/sign-in?link=1')
    expect((await signIn(real, email, 'a guess at it')).status).toBe(401)
    expect(await link(real)).toMatchObject(unauthorized)
    expect(await open().signOn()).toBe('/sign-in?link=1')
    expect(await stranger.user()).toMatchObject({ email })
  })

  test('M5: a sign-on can be linked only to the account with its address', async () => {
    const [ann, bob] = [await signedUp(), await signedUp()]
    newPerson({ email: ann.email })
    const browser = open()
    await browser.signOn()
    await signIn(browser, bob.email)
    expect(await link(browser)).toMatchObject(forbidden('This sign-in is for another e-mail address'))
    expect(
      await service.sql`select from identities where email in (${ann.email}, ${bob.email})`,
    ).toHaveLength(0)
    await signIn(browser, ann.email)
    expect((await link(browser)).status).toBe(200)
  })

  test('M5: another person of the provider never gets an account without a password', async () => {
    const { email } = newPerson()
    const first = open()
    await first.signOn()
    newPerson({ email })
    const second = open()
    expect(await second.signOn()).toBe('/sign-in?error=oidc_failed')
    expect(await second.user()).toBeNull()
    expect(second.cookie(LINK)).toBeUndefined()
  })

  test('M5: a person of another provider is somebody else, even with the same subject', async () => {
    const { sub } = newPerson()
    const first = open()
    await first.signOn()
    inToken.signsIn({ sub, email: newEmail(), email_verified: true })
    const second = open(fromToken)
    expect(await second.signOn()).toBe('/')
    expect((await second.user())?.id).not.toBe((await first.user())?.id)
  })

  test('linking without a pending sign-on, or with a forged one, returns 400', async () => {
    const { browser } = await signedUp()
    const again = invalid('Start single sign-on again')
    expect(await link(browser)).toMatchObject(again)
    browser.restore(LINK, 'e30.forged')
    expect(await link(browser)).toMatchObject(again)
  })

  test('a pending sign-on ends after ten minutes', async () => {
    let clock = Date.now()
    const aged = await runSignOnService(provider.env, service, { now: () => clock })
    const { email } = await signedUp()
    newPerson({ email })
    const browser = open(aged)
    expect(await browser.signOn()).toBe('/sign-in?link=1')
    const there = await browser.begin()
    const back = await browser.comeBack(there)
    clock += 600_000
    expect((await browser.get(back)).location).toBe('/sign-in?error=oidc_failed')
    await signIn(browser, email)
    expect(await link(browser)).toMatchObject(invalid('Start single sign-on again'))
  })

  test('a person who was linked is linked again without an error', async () => {
    const { email } = await signedUp()
    newPerson({ email })
    const browser = open()
    await browser.signOn()
    const pending = browser.cookie(LINK) ?? ''
    await signIn(browser, email)
    await link(browser)
    browser.restore(LINK, pending)
    expect((await link(browser)).status).toBe(200)
  })
})

describe('an account without a password', () => {
  test('an account without a password declines every password, like a wrong one', async () => {
    const { email } = newPerson()
    const browser = open()
    await browser.signOn()
    expect(await signIn(open(), email)).toMatchObject(failed(401, 'Invalid email or password'))
    const change = { current_password: PASSWORD, new_password: 'battery staple' }
    expect(await browser.send('PATCH', '/auth/account', change)).toMatchObject(
      invalid('This account has no password'),
    )
    expect((await browser.send('PATCH', '/auth/account', { name: 'New' })).status).toBe(200)
  })
})

describe('PASSWORD_SIGN_IN=off', () => {
  const refused = forbidden('Password sign-in is turned off')

  test('PASSWORD_SIGN_IN=off refuses sign-in and sign-up with a password', async () => {
    const { email } = await signedUp()
    const browser = open(off)
    expect(await signIn(browser, email)).toMatchObject(refused)
    const body = { email: newEmail(), password: PASSWORD, name: 'Ann' }
    expect(await browser.send('POST', '/auth/sign-up/email', body)).toMatchObject(refused)
    expect(await browser.send('GET', '/auth/methods')).toMatchObject({ body: { password: false } })
  })

  test('PASSWORD_SIGN_IN=off allows the password that links, and no other', async () => {
    const [ann, bob] = [await signedUp(), await signedUp()]
    newPerson({ email: ann.email })
    const browser = open(off)
    expect(await browser.signOn()).toBe('/sign-in?link=1')
    expect(await signIn(browser, bob.email)).toMatchObject(refused)
    expect(await signIn(browser, ann.email, 'a wrong one')).toMatchObject(
      failed(401, 'Invalid email or password'),
    )
    expect((await signIn(browser, ann.email)).status).toBe(200)
    expect((await link(browser)).status).toBe(200)
    expect(await signIn(browser, ann.email)).toMatchObject(refused)
  })
})
