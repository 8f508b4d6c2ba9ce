// From nothing to the first card: an account, a workspace, a channel, a key in a line for the shell, and the card, live.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { launchChromium } from './support/chromium.ts'
import { signUp } from './support/page.ts'
import { card, visit } from './support/visit.ts'

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

/** Runs the line as a shell would. */
async function runInShell(line: string): Promise<{ id?: string; error?: string }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', `${line.replace('curl', 'curl -s')}`])
  return JSON.parse(stdout)
}

const command = async (page: Page) => (await page.locator('.command').textContent()) ?? ''

test('after signing up, three steps lead to a line for the shell whose card appears at once', async () => {
  const { page, faults } = await visit(browser)
  await signUp(page, server.url, 'first@example.com')

  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('alert').getByText('Name is required').waitFor()
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create workspace' }).click()

  await page.getByRole('heading', { name: 'Create a channel' }).waitFor()
  await page.getByLabel('Name').fill('Deploys')
  await page.getByRole('button', { name: 'Choose' }).click()
  await page.getByRole('button', { name: 'rocket', exact: true }).first().click()
  await page.getByRole('button', { name: 'Create channel' }).click()

  await page.getByText('Your card will appear here.').waitFor()
  const answer = await runInShell(await command(page))
  expect(answer.id).toMatch(/^[0-9a-f-]{36}$/)
  await page.getByText('Your first card is here.').waitFor()
  await card(page, 'Hello from curl').waitFor()

  await page.getByRole('link', { name: 'All channels' }).click()
  const row = page.getByRole('link', { name: 'Deploys Interactive 1 card' })
  await row.getByText('🚀').waitFor()
  expect(faults).toEqual([])
})

test('a channel of a long name, cut in the middle of a picture, has its line too', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url, 'pictures@example.com')
  await page.getByLabel('Name').fill('Pictures')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Create a channel' }).waitFor()
  // Half of the first rocket would be the last of the key’s 80 characters.
  await page.getByLabel('Name').fill(`${'x'.repeat(64)}🚀🚀`)
  await page.getByRole('button', { name: 'Create channel' }).click()
  await expect.poll(() => command(page)).toContain('cf_')
})

test('the key of the first line may write in its workspace, and nothing else', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url, 'scope@example.com')
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Create a channel' }).waitFor()
  await page.getByLabel('Name').fill('Deploys')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByText('Your card will appear here.').waitFor()
  const [key] = /cf_[\w-]+/.exec(await command(page)) ?? []
  const [channel] = /http\S+channels\/[0-9a-f-]+/.exec(await command(page)) ?? []
  const refused = await fetch(channel ?? '', {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${key}` },
  })
  expect(refused.status).toBe(403)
})

test('left halfway, it goes on where it was, with a key made on request', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url, 'halfway@example.com')
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Create a channel' }).waitFor()

  await page.goto(server.url)
  await page.getByRole('link', { name: 'Go on where you left off' }).click()
  await page.getByLabel('Name').fill('Deploys')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByText('Your card will appear here.').waitFor()

  await page.reload()
  await page.getByRole('button', { name: 'Make the key and the line' }).click()
  expect((await runInShell(await command(page))).error).toBeUndefined()
  await page.getByText('Your first card is here.').waitFor()
})
