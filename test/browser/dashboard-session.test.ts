// Who is signed in, where the answer is late, or does not come, and the ways in.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { launchChromium } from './support/chromium.ts'
import { signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test('the way in that is taken from the sign-up page leads to the app, and to where one came from', async () => {
  const { page } = await visit(browser)
  await page.goto(`${server.url}/sign-up?return=/dashboard/usage`)
  await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).click()
  // The page before has such a field too.
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(server.owner.email)
  await page.getByLabel('Password').fill(server.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Usage' }).waitFor()
})

test('who signs in before it is known that nobody is stays signed in', async () => {
  const { page } = await visit(browser)
  let answer = () => {}
  const held = new Promise<void>(resolve => {
    answer = resolve
  })
  await page.route('**/api/auth/get-session', async route => {
    const response = await route.fetch()
    await held
    await route.fulfill({ response })
  })
  await page.goto(`${server.url}/sign-in?return=/dashboard/keys`)
  await page.getByLabel('E-mail').fill(server.owner.email)
  await page.getByLabel('Password').fill(server.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  const late = page.waitForResponse('**/api/auth/get-session')
  answer()
  await late
  await page.getByRole('button', { name: 'New key' }).waitFor()
  await page.getByRole('link', { name: 'Account of' }).click()
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/dashboard/account')
})

test('a page that opened while the server was away knows who looks once it is back', async () => {
  const { page } = await visit(browser)
  await signIn(page, server)
  await page.route('**/api/**', route => route.abort())
  await page.goto(`${server.url}/dashboard/account`)
  await page.getByRole('heading', { name: 'Account' }).waitFor()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute('**/api/**')
  await page.getByLabel('Name').waitFor()
  await page.getByRole('link', { name: 'Account of' }).waitFor()
})

test('home says that the server cannot be reached, and is there when it can', async () => {
  const { page } = await visit(browser)
  await signIn(page, server)
  await page.route('**/api/**', route => route.abort())
  await page.goto(server.url)
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
})
