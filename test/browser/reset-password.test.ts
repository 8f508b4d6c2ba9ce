// The page that sets a new password, with links that the command prints.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { enterCredentials, expectFocus, press } from './support/page.ts'
import { makeUser } from './support/session.ts'
import { openAsGuest, server, setStage, signedIn } from './support/stage.ts'

setStage()

const command = fileURLToPath(new URL('../../dist/server/reset-password.js', import.meta.url))

/** The path of a new link, as `/reset#token`. */
async function printLink(email: string): Promise<string> {
  const env = { PATH: process.env.PATH, DATA_DIR: server.data_dir, PUBLIC_URL: server.url }
  const run = promisify(execFile)(process.execPath, [command, 'reset-password', email], { env })
  return (await run).stdout.trim().slice(server.url.length)
}

const NEXT = 'a new long password'

async function change(page: Page, password = NEXT): Promise<void> {
  await page.getByLabel('New password').fill(password)
  await press(page, 'Change password')
}

test('a link sets a new password, signs out all devices and leads to the sign-in page', async () => {
  const user = await makeUser(server, 'Ann')
  const { page: before } = await signedIn({}, user)
  const { page } = await openAsGuest(await printLink(user.email))
  await page.getByText('API keys keep working').waitFor()
  await change(page, 'short')
  await page.getByText('New password must be 8 to 128 characters').waitFor()
  await change(page)
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
  await expectFocus(page.locator('main'))
  await expect.poll(() => page.title()).toContain('Password changed')
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enterCredentials(page, user.email, NEXT)
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()

  await before.goto(`${server.url}/dashboard/account`)
  await before.waitForURL(/\/sign-in\?return=/)
})

test('the token leaves the address and the history at once', async () => {
  const user = await makeUser(server)
  const path = await printLink(user.email)
  const [, token = ''] = path.split('#')
  const { page } = await openAsGuest('/sign-in')
  const requests: string[] = []
  page.on('request', request => requests.push(`${request.url()} ${JSON.stringify(request.headers())}`))
  // The page's own script takes the token, before that of the route has loaded.
  await page.route('**/assets/reset-password-*.js', async route => {
    await expect.poll(() => page.url()).toBe(`${server.url}/reset`)
    await route.continue()
  })
  await page.goto(server.url + path)
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await page.goBack()
  await page.getByRole('heading', { name: 'Sign in to Channel Feed' }).waitFor()
  await page.goForward()
  await expect.poll(() => page.url()).toBe(`${server.url}/reset`)
  expect(requests.length).toBeGreaterThan(0)
  expect(requests.filter(request => request.includes(token))).toEqual([])
})

test('a used link, and an address without one, say that the link is no longer valid', async () => {
  const user = await makeUser(server)
  const path = await printLink(user.email)
  const { page: first } = await openAsGuest(path)
  await change(first)
  await first.getByRole('heading', { name: 'Password changed' }).waitFor()
  const { page: second } = await openAsGuest(path)
  await change(second, 'yet another password')
  await second.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  const { page: none } = await openAsGuest('/reset')
  await none.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
})

test('another link that is opened in the same tab counts', async () => {
  const user = await makeUser(server)
  const { page } = await openAsGuest('/reset')
  await page.getByRole('heading', { name: 'This link is no longer valid' }).waitFor()
  await page.goto(server.url + (await printLink(user.email)))
  await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
  await expect.poll(() => page.url()).toBe(`${server.url}/reset`)
  await change(page)
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
})

test('without a network the page says so, keeps what was typed, and works when the network is back', async () => {
  const user = await makeUser(server)
  const { page } = await openAsGuest(await printLink(user.email))
  await page.getByLabel('New password').fill(NEXT)
  await page.context().setOffline(true)
  await page.getByText('You are offline').waitFor()
  await press(page, 'Change password')
  await page.getByText('The server can’t be reached. Check your connection.').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'hidden' })
  await expect.poll(() => page.getByLabel('New password').inputValue()).toBe(NEXT)
  await press(page, 'Change password')
  await page.getByRole('heading', { name: 'Password changed' }).waitFor()
})
