// API keys: made, shown once, used, revoked. And what the day has used.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { makeApi, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '20' })
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test('a key is made, shown once, used, and refused once it is revoked', async () => {
  const { page, faults } = await visit(browser)
  await signIn(page, server)
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('button', { name: 'New key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Name is required').waitFor()
  await dialog.getByLabel('Name').fill('Deploy bot')
  await dialog.getByLabel('May do').selectOption('read')
  await dialog.getByLabel('May reach').selectOption('🏢 Demo')
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await dialog.getByRole('button', { name: 'Create key' }).click()

  await page.getByText('Copy it now').waitFor()
  const key = (await page.locator('[data-key]').textContent()) ?? ''
  const row = page.getByRole('listitem').filter({ hasText: 'Deploy bot' })
  await row.getByText('Read').waitFor()
  await row.getByText('Demo').waitFor()
  await row.getByText('Never used').waitFor()
  await row.getByText('Expires').waitFor()

  const use = () =>
    fetch(`${server.url}/api/v1/channels/${server.channel_id}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
  expect((await use()).status).toBe(200)
  await page.reload()
  await row.getByText('Used just now').waitFor()
  await expect.poll(() => page.locator('[data-key]').count()).toBe(0)

  await page.getByRole('button', { name: 'Revoke Deploy bot' }).click()
  // What cannot be undone takes more than the same key twice.
  await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await row.waitFor({ state: 'hidden' })
  expect((await use()).status).toBe(401)
  expect(faults).toEqual([])
})

test('the dialog takes the focus, keeps it, and gives it back', async () => {
  const { page } = await visit(browser)
  await signIn(page, server)
  await page.goto(`${server.url}/dashboard/keys`)
  const button = page.getByRole('button', { name: 'New key' })
  await button.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  for (let i = 0; i < 12; i++) {
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null))
      .toBe(true)
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'New key' }).waitFor()
})

test('usage counts against the limits of the day', async () => {
  const api = makeApi(server)
  const { page } = await visit(browser)
  await signIn(page, server)
  await page.goto(`${server.url}/dashboard/usage`)
  const cards = page.getByRole('listitem').filter({ hasText: 'Cards pushed today' })
  const words = (await cards.textContent()) ?? ''
  const used = Number(/(\d+) of 20/.exec(words)?.[1])
  await api.push(server.channel_id, [text('One more')])
  await page.getByRole('button', { name: 'Refresh' }).click()
  await cards.getByText(`${used + 1} of 20`).waitFor()
})
