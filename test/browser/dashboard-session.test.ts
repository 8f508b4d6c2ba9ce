// The session: signing in, a check that is late or fails, and a session that ends while a page is open.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { section } from './support/page.ts'
import { makeGate } from './support/requests.ts'
import { save, saved, signInAsOwner } from './support/settings.ts'
import { api, browser, open, openAsGuest, server, session, setStage, signedIn } from './support/stage.ts'
import { signIn, visit } from './support/visit.ts'

setStage()

/** Opens the settings of a new channel from home. */
async function openFromHome(name: string): Promise<{ id: string; page: Page }> {
  const { id } = await api.createChannel(name)
  const { page } = await open('/')
  await page.getByRole('button', { name: `More about ${name}`, exact: true }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.waitForURL(`**/dashboard/channels/${id}`)
  return { id, page }
}

test('the sign-in link of the sign-up page keeps the return path', async () => {
  const { page } = await openAsGuest('/sign-up?return=/dashboard/usage')
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  // The sign-up page has an e-mail field too.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signInAsOwner(page)
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
})

test('signing in during the session check sticks', async () => {
  const { page } = await visit(browser)
  const response = makeGate()
  await page.route('**/api/auth/get-session', async route => {
    const fetched = await route.fetch()
    await response.opened
    await route.fulfill({ response: fetched })
  })
  await page.goto(`${server.url}/sign-in?return=/dashboard/keys`)
  await signInAsOwner(page)
  await page.getByRole('heading', { name: 'API keys', exact: true }).waitFor()
  const late = page.waitForResponse('**/api/auth/get-session')
  response.open()
  await late
  await page.getByRole('button', { name: 'New key' }).waitFor()
  await page.getByRole('link', { name: 'Account of' }).click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/account')
})

test.each([
  ['the account page', '/dashboard/account', 'You'],
  ['home', '/', 'Channels'],
])(
  '%s reports an unreachable server, and loads with its session when it is back',
  async (_, path, heading) => {
    const { page } = await signedIn()
    await page.clock.install()
    await page.route('**/api/**', route => route.abort())
    await page.goto(server.url + path)
    await page.getByText('The server can’t be reached').waitFor()
    await page.unroute('**/api/**')
    await page.clock.fastForward(5_000)
    await page.getByRole('heading', { name: heading, exact: true }).waitFor()
    await page.getByRole('link', { name: 'Account of' }).waitFor()
  },
)

test('a session that ended while offline keeps unsaved edits', async () => {
  const { id, page } = await openFromHome('Ended')
  const description = section(page, 'General').getByLabel('Description')
  await description.fill('Half typed')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().clearCookies()
  await page.context().setOffline(false)
  const question = page.getByRole('alertdialog')
  await question.getByText('1 unsaved change: description').waitFor()
  await question.getByRole('button', { name: 'Stay' }).click()
  await expect.poll(() => description.inputValue()).toBe('Half typed')
  await signIn(page, server.url, server.owner)
  await save(page)
  await saved(page)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ description: 'Half typed' })
})

test('without edits, an ended session leads to the sign-in and back', async () => {
  const { page } = await openFromHome('Ended too')
  await section(page, 'General').waitFor()
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().clearCookies()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signInAsOwner(page)
  await page.getByRole('heading', { name: 'Ended too' }).waitFor()
})
