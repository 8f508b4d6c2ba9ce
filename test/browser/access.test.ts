// Access to channels: private and protected ones ask for a sign-in or a password.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { enterCredentials, enterSignUp, unlock } from './support/page.ts'
import { makeUser } from './support/session.ts'
import { signInAsOwner } from './support/settings.ts'
import { api, createChannel, openAsGuest, server, session, setStage } from './support/stage.ts'
import { card, KEEPING } from './support/visit.ts'

setStage({ SIGNUP_LIMIT: '4' })

test('a private channel asks for a sign-in, then shows', async () => {
  const { id } = await createChannel({}, text('For the owner'))
  const { page } = await openAsGuest(`/c/${id}`, KEEPING)
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)

  await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
  await enterCredentials(page, server.owner.email, 'not the password')
  await page.getByRole('alert').getByText('That e-mail and password don’t match. Try again.').waitFor()
  await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('button', { name: 'Show characters' }).click()
  await expect.poll(() => page.getByLabel('Password').getAttribute('type')).toBe('text')

  await signInAsOwner(page)
  await page.waitForURL(`${server.url}/c/${id}`)
  await card(page, 'For the owner').waitFor()
})

test('a protected channel asks for its password, and again after it changes', async () => {
  const { id } = await createChannel({}, text('For who knows'))
  const change = (fields: object) => session('PATCH', `/workspaces/${server.workspace_id}`, fields)
  await change({ visibility: 'protected', password: 'the first password' })

  const { page } = await openAsGuest(`/c/${id}`, KEEPING)
  await unlock(page, 'not this one')
  await page.getByRole('alert').getByText('That password isn’t right. Try again.').waitFor()
  await unlock(page, 'the first password')
  await card(page, 'For who knows').waitFor()

  await change({ password: 'the second password' })
  await page.getByRole('heading', { name: 'This channel needs a password' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await change({ visibility: 'private' })
  await page.reload()
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
})

test('another user sees that access is missing, and that a deleted channel is gone', async () => {
  const { id } = await createChannel()
  const { page } = await openAsGuest(`/sign-up?return=/c/${id}`, KEEPING)
  await enterSignUp(page, 'somebody@example.com')
  await page.getByRole('heading', { name: 'You don’t have access to this channel' }).waitFor()

  await api.deleteChannel(id)
  await page.reload()
  await page.getByRole('heading', { name: 'Channel not found' }).waitFor()
})

test('a sign-up above the limit says when to try again', async () => {
  const signUpUntilRejected = (): Promise<string> => makeUser(server).then(signUpUntilRejected, String)
  expect(await signUpUntilRejected()).toContain('429')
  const { page } = await openAsGuest('/sign-up', KEEPING)
  await enterSignUp(page, 'late@example.com')
  const alert = page.getByRole('alert')
  await alert.getByText(/^Too many sign-ups from your network\. Try again in [23] minutes\.$/).waitFor()
  await expect.poll(() => page.getByLabel('Password').inputValue()).toBe('a long password')
})

test('a browser that doesn’t keep the session is told why, on the sign-in page', async () => {
  const { page } = await openAsGuest('/sign-in')
  const { email, password } = server.owner
  await page.route('**/api/auth/sign-in/email', async route => {
    const response = await route.fetch()
    // As if the cookie were for https only.
    await page.context().clearCookies()
    const { 'set-cookie': _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await enterCredentials(page, email, password)
  await page.getByRole('alert').getByText('stays signed in only over https').waitFor()
})
