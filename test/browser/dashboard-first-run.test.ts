// From signing up to the first card.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withCurl } from '../support/programs.ts'
import { createFirstWorkspace, press, signUp } from './support/page.ts'
import { browser, server, setStage } from './support/stage.ts'
import { card, visit } from './support/visit.ts'

setStage()

async function runInShell(command: string): Promise<{ id?: string; error?: string }> {
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl', 'curl -s')], {
    env: withCurl(),
  })
  return JSON.parse(stdout)
}

const command = async (page: Page) => (await page.locator('.command').textContent()) ?? ''

/** Signs up and creates a workspace. */
async function startFirstRun(): Promise<Page> {
  const { page } = await visit(browser)
  await signUp(page, server.url)
  await createFirstWorkspace(page)
  return page
}

async function createChannel(page: Page, name: string): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await press(page, 'Create channel')
}

test('signing up leads in three steps to a shell command with a key that only writes, whose card appears at once', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url)

  await press(page, 'Create workspace')
  await page.getByRole('alert').getByText('Name is required').waitFor()
  await createFirstWorkspace(page)

  await page.getByLabel('Name').fill('Deploys')
  await press(page, 'Choose')
  await page.getByRole('button', { name: 'rocket', exact: true }).first().click()
  await press(page, 'Create channel')

  await page.getByText('Your card will appear here.').waitFor()
  const line = await command(page)
  const created = await runInShell(line)
  expect(created.id).toMatch(/^[0-9a-f-]{36}$/)
  await page.getByText('Your first card is here.').waitFor()
  await card(page, 'Hello from curl').waitFor()

  const [, channel = '', key] = /(http\S+channels\/[0-9a-f-]+).*(cf_[\w-]+)/s.exec(line) ?? []
  const headers = { Authorization: `Bearer ${key}` }
  expect((await fetch(channel, { method: 'DELETE', headers })).status).toBe(403)

  await page.getByRole('link', { name: 'Invite your team' }).click()
  const people = page.getByRole('region', { name: 'People', exact: true })
  await people.getByText('Only you can see this workspace').waitFor()
  await expect.poll(() => people.evaluate(section => section.getBoundingClientRect().top)).toBeLessThan(200)

  await page.goto(server.url)
  const row = page.getByRole('row', { name: /Deploys.*1 card/ })
  await row.getByText('🚀').waitFor()
})

test('a long channel name is cut between characters for the key’s name', async () => {
  const page = await startFirstRun()
  // Cut by code units, the key’s name would end in half a rocket.
  await createChannel(page, `${'x'.repeat(64)}🚀🚀`)
  await expect.poll(() => command(page)).toContain('cf_')
})

test('the first run continues where it was left and creates a key on request', async () => {
  const page = await startFirstRun()

  await page.goto(server.url)
  await page.getByRole('link', { name: 'Continue setup' }).click()
  await createChannel(page, 'Deploys')
  await page.getByText('Your card will appear here.').waitFor()

  await page.reload()
  await press(page, 'Create key and command')
  expect((await runInShell(await command(page))).error).toBeUndefined()
  await page.getByText('Your first card is here.').waitFor()
})
