// Nobody sees what they may not: a private channel asks for its owner, and leaves nothing behind.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { card, keptForOffline, openChannel, signIn, visitKeeping } from './support/visit.ts'

let server: TestServer
let browser: Browser
let api: Api

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '0', SIGNUP_LIMIT: '4' })
  browser = await launchChromium()
  api = makeApi(server)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test('a private channel asks for a sign-in, then shows', async () => {
  const { id } = await api.createChannel('Private')
  await api.push(id, [text('For the owner')])
  const { page, faults } = await visitKeeping(browser)
  await page.goto(`${server.url}/c/${id}`)
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)

  await page.locator('main').getByRole('link', { name: 'Sign in' }).click()
  await page.getByLabel('E-mail').fill(server.owner.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('Invalid email or password').waitFor()
  await expect.poll(() => page.getByLabel('Password').getAttribute('aria-invalid')).toBe('true')

  await page.getByLabel('Password').fill(server.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${server.url}/c/${id}`)
  await card(page, 'For the owner').waitFor()
  expect(faults).toEqual([])
})

test('signing out deletes everything on the device, even offline', async () => {
  const { id } = await api.createChannel('Left behind')
  await api.push(id, [text('For the owner')])
  const { page } = await visitKeeping(browser)
  await signIn(page, server)
  await openChannel(page, server, id)
  await card(page, 'For the owner').waitFor()
  await keptForOffline(page)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Live feeds for your automations' }).waitFor()

  await page.context().setOffline(true)
  await page.goto(`${server.url}/c/${id}`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
})

test('a session that ended elsewhere removes the channel and its local copy', async () => {
  const { id } = await api.createChannel('Ended')
  await api.push(id, [text('For the owner')])
  const { page } = await visitKeeping(browser)
  await signIn(page, server)
  await openChannel(page, server, id)
  await keptForOffline(page)
  await page.context().request.post(`${server.url}/api/auth/sign-out`, {
    data: {},
    headers: { Origin: server.url },
  })
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)

  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('another user who signs in finds nothing of the previous user', async () => {
  const { id } = await api.createChannel('Shared device')
  await api.push(id, [text('For the owner')])
  const { page } = await visitKeeping(browser)
  await signIn(page, server)
  await openChannel(page, server, id)
  await card(page, 'For the owner').waitFor()
  await page.context().clearCookies()

  await page.goto(`${server.url}/sign-up`)
  await page.getByLabel('Name').fill('Next')
  await page.getByLabel('E-mail').fill('next@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
  await keptForOffline(page)
  await page.context().setOffline(true)
  await page.goto(`${server.url}/c/${id}`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('a protected channel asks for its password, and again after it changes', async () => {
  const { id } = await api.createChannel('Protected')
  await api.push(id, [text('For who knows')])
  const { page: owner } = await visitKeeping(browser)
  await signIn(owner, server)
  const workspace = `${server.url}/api/workspaces/${server.workspace_id}`
  const change = async (data: object) => {
    const answer = await owner.context().request.patch(workspace, { data, headers: { Origin: server.url } })
    expect(answer.status()).toBe(200)
  }
  await change({ visibility: 'protected', password: 'the first password' })

  const { page } = await visitKeeping(browser)
  await page.goto(`${server.url}/c/${id}`)
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('alert').getByText('Invalid password').waitFor()
  await page.getByLabel('Password').fill('the first password')
  await page.getByRole('button', { name: 'Open' }).click()
  await card(page, 'For who knows').waitFor()

  await change({ password: 'the second password' })
  await page.getByRole('heading', { name: 'This channel asks for a password' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await change({ visibility: 'private' })
  await page.reload()
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
})

test('another user sees that access is missing, and that a deleted channel is gone', async () => {
  const { id } = await api.createChannel('Of somebody else')
  const { page } = await visitKeeping(browser)
  await page.goto(`${server.url}/sign-up?return=/c/${id}`)
  await page.getByLabel('Name').fill('Somebody')
  await page.getByLabel('E-mail').fill('somebody@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'You do not have access to this channel' }).waitFor()

  await api.deleteChannel(id)
  await page.reload()
  await page.getByRole('heading', { name: 'There is no such channel' }).waitFor()
})

test('a channel that is deleted while open says so', async () => {
  const { id } = await api.createChannel('Short-lived')
  const { page } = await visitKeeping(browser)
  await signIn(page, server)
  await openChannel(page, server, id)
  await api.deleteChannel(id)
  await page.getByRole('heading', { name: 'There is no such channel' }).waitFor()
})

test('a sign-up above the limit says when to try again', async () => {
  const signUp = (i: number) =>
    fetch(`${server.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: `crowd${i}@example.com`, name: 'Crowd', password: 'a long password' }),
    })
  for (let i = 0; (await signUp(i)).status !== 429; i++);
  const { page } = await visitKeeping(browser)
  await page.goto(`${server.url}/sign-up`)
  await page.getByLabel('Name').fill('Late')
  await page.getByLabel('E-mail').fill('late@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  const alert = page.getByRole('alert')
  await alert.getByText(/^Too many sign-ups from your network\. Try again in [23] minutes\.$/).waitFor()
  await expect.poll(() => page.getByLabel('Password').inputValue()).toBe('a long password')
})
