// The sign-in page with single sign-on: the ways that it offers, and the way to a real provider and back.
import type { Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { SignInMethods } from '../../shared/sign-in-methods.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { freePort } from '../support/ports.ts'
import { startServer } from '../support/server.ts'
import { offerMethods } from './support/account-scenes.ts'
import { text } from './support/api.ts'
import { enterCredentials, press } from './support/page.ts'
import { failWith } from './support/requests.ts'
import { makeUser } from './support/session.ts'
import { browser, createChannel, openAsGuest, server, setStage } from './support/stage.ts'
import { card, visit } from './support/visit.ts'

let provider: Awaited<ReturnType<typeof startIdentityProvider>>

setStage({ OIDC_NAME: 'Acme ID' }, async env => {
  const PORT = String(await freePort())
  provider = await startIdentityProvider({ public_url: `http://127.0.0.1:${PORT}` })
  return startServer({ ...env, ...provider.env, PORT })
})
afterAll(() => provider?.stop())

const BUTTON = 'Continue with Acme ID'
const newEmail = () => `${crypto.randomUUID()}@example.com`

/** Somebody new at the provider, who signs in there from now on. */
function newPerson(email = newEmail(), name = 'Zoë'): void {
  provider.signsIn({ sub: crypto.randomUUID(), email, email_verified: true, name })
}

const account = (page: Page, name: string) => page.getByRole('link', { name: `Account of ${name}` }).first()

test('the button leads through the provider and back to the page that asked for a sign-in', async () => {
  newPerson()
  const { page } = await openAsGuest('/dashboard/account')
  await press(page, BUTTON)
  await page.waitForURL(`${server.url}/dashboard/account`)
  await account(page, 'Zoë').waitFor()
})

test('a refusal at the provider is explained, and a password then leads to the same page', async () => {
  provider.refuses()
  const { id } = await createChannel({}, text('For the owner'))
  const { page } = await openAsGuest(`/sign-in?return=/c/${id}`)
  await press(page, BUTTON)
  await page.getByRole('alert').getByText('You cancelled at your provider').waitFor()
  await enterCredentials(page, server.owner.email, server.owner.password)
  await page.waitForURL(`${server.url}/c/${id}`)
  await card(page, 'For the owner').waitFor()
})

test('an address with an account asks for its password once, and connects both ways to it', async () => {
  const { email, password } = await makeUser(server, 'Ann')
  newPerson(email, 'Ann at Acme')
  const { page } = await openAsGuest('/sign-in?return=/dashboard/account')
  await press(page, BUTTON)
  await page.getByRole('heading', { name: 'Connect your account' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: BUTTON }).count()).toBe(0)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('not the password')
  await press(page, 'Sign in and connect')
  await page.getByText('That e-mail and password don’t match. Try again.').waitFor()
  await page.getByLabel('Password').fill(password)
  await press(page, 'Sign in and connect')
  await page.waitForURL(`${server.url}/dashboard/account`)
  await account(page, 'Ann').waitFor()

  const { page: next } = await openAsGuest('/sign-in')
  await press(next, BUTTON)
  await account(next, 'Ann').waitFor()
})

test('another account than that of the address is not connected', async () => {
  const [ann, bob] = [await makeUser(server, 'Ann'), await makeUser(server, 'Bob')]
  newPerson(ann.email)
  const { page } = await openAsGuest('/sign-in')
  await press(page, BUTTON)
  await page.getByLabel('E-mail').fill(bob.email)
  await page.getByLabel('Password').fill(bob.password)
  await press(page, 'Sign in and connect')
  await page.getByText('Use the account with the e-mail address of your provider.').waitFor()
  await page.getByLabel('E-mail').fill(ann.email)
  await page.getByLabel('Password').fill(ann.password)
  await press(page, 'Sign in and connect')
  await account(page, 'Ann').waitFor()
})

test('whoever leaves the connecting page finds all ways to sign in', async () => {
  const { page } = await openAsGuest('/sign-in?link=1')
  await page.getByRole('link', { name: 'Sign in another way' }).click()
  await page.getByRole('button', { name: BUTTON }).waitFor()
  await page.getByRole('heading', { name: 'Sign in to Channel Feed' }).waitFor()
})

test('a provider that is down is named on the page, and the next try works', async () => {
  const { page } = await openAsGuest('/sign-in')
  await page.route('**/api/auth/oidc/start', failWith('sign_on_unavailable'))
  await press(page, BUTTON)
  await page.getByRole('alert').getByText('Single sign-on doesn’t answer. Try again in a moment.').waitFor()
  await page.unroute('**/api/auth/oidc/start')
  newPerson()
  await press(page, BUTTON)
  await account(page, 'Zoë').waitFor()
})

test('the page of an invite that has ended leads through the provider to an account', async () => {
  const { page } = await openAsGuest('/join#'.padEnd(49, 'a'))
  await page.getByText('Did you use it before?').getByRole('link', { name: 'Sign in' }).click()
  newPerson()
  await press(page, BUTTON)
  await page.getByRole('link', { name: 'Go home' }).click()
  await account(page, 'Zoë').waitFor()
})

test.each([
  ['oidc_denied', 'You cancelled at your provider'],
  ['oidc_failed', 'Single sign-on didn’t work'],
  ['oidc_email', 'Your provider doesn’t confirm your e-mail address'],
  ['oidc_sign_up', 'You have no account here'],
])('the sign-in page explains the error %s', async (error, words) => {
  const { page } = await openAsGuest(`/sign-in?error=${error}`)
  await page.getByRole('alert').getByText(words).waitFor()
})

test('the sign-in page says nothing about an error that it does not know', async () => {
  const { page } = await openAsGuest('/sign-in?error=constructor')
  await page.getByRole('button', { name: BUTTON }).waitFor()
  await expect.poll(() => page.locator('.banner').count()).toBe(0)
})

const EVERY_WAY: SignInMethods = { password: true, sign_up: 'open', oidc: { name: 'Acme ID' }, mail: false }

test.each<[string, Partial<SignInMethods>, [button: number, password: number, link: number]]>([
  ['everything', {}, [1, 1, 1]],
  ['no provider', { oidc: null }, [0, 1, 1]],
  ['invites only', { sign_up: 'invite' }, [1, 1, 0]],
  ['closed sign-ups', { sign_up: 'closed' }, [1, 1, 0]],
  ['no passwords', { password: false }, [1, 0, 0]],
])('with %s, the sign-in page shows only what works', async (_, methods, counts) => {
  const { page } = await visit(browser)
  await offerMethods(page, { ...EVERY_WAY, ...methods })
  await page.goto(`${server.url}/sign-in`)
  await page
    .getByRole('button', { name: /^(Continue with|Sign in)/ })
    .first()
    .waitFor()
  const count = () =>
    Promise.all([
      page.getByRole('button', { name: BUTTON }).count(),
      page.getByLabel('Password').count(),
      page.getByRole('link', { name: 'Create an account' }).count(),
    ])
  await expect.poll(count).toEqual(counts)
})

test('the sign-in page that could not ask for the ways says so and asks again', async () => {
  const { page } = await visit(browser)
  await page.route('**/api/auth/methods', route => route.abort())
  await page.goto(`${server.url}/sign-in`)
  await page.getByText('The server can’t be reached').waitFor()
  await page.unroute('**/api/auth/methods')
  await press(page, 'Try again')
  await page.getByRole('button', { name: BUTTON }).waitFor()
})
