// The session check: late, failing, and after signing in.
import { expect, test } from 'vitest'
import { makeGate } from './support/requests.ts'
import { signInAsOwner } from './support/settings.ts'
import { browser, server, setStage, signedIn } from './support/stage.ts'
import { visit } from './support/visit.ts'

setStage()

test('the sign-in link of the sign-up page keeps the return path', async () => {
  const { page } = await visit(browser)
  await page.goto(`${server.url}/sign-up?return=/dashboard/usage`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
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

test('a page that opened without the server gets its session when the server is back', async () => {
  const { page } = await signedIn()
  await page.route('**/api/**', route => route.abort())
  await page.goto(`${server.url}/dashboard/account`)
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute('**/api/**')
  await page.getByLabel('Name').waitFor()
  await page.getByRole('link', { name: 'Account of' }).waitFor()
})

test('home reports an unreachable server and loads when it is back', async () => {
  const { page } = await signedIn()
  await page.route('**/api/**', route => route.abort())
  await page.goto(server.url)
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor()
})
