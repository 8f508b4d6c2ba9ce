// API keys from creation to revocation, and the daily limits.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { press } from './support/page.ts'
import { api, open, server, setStage } from './support/stage.ts'

setStage({ DAILY_CARD_LIMIT: '20' })

test('a key is visible once, works, and stops working when revoked', async () => {
  const { page, faults } = await open('/dashboard/keys')
  await press(page, 'New key')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await dialog.getByText('Name is required').waitFor()
  await dialog.getByLabel('Name').fill('Deploy bot')
  await dialog.getByLabel('Scope').selectOption('read')
  await dialog.getByLabel('Workspace').selectOption('🏢 Demo')
  await dialog.getByLabel('Expires').selectOption('In 30 days')
  await dialog.getByRole('button', { name: 'Create key' }).click()

  await page.getByText('Copy it now').waitFor()
  const key = (await page.locator('[data-secret]').textContent()) ?? ''
  const row = page.getByRole('listitem').filter({ hasText: 'Deploy bot' })
  for (const words of ['Read', 'Demo', 'Never used', 'Expires']) await row.getByText(words).waitFor()

  const headers = { Authorization: `Bearer ${key}` }
  const use = () => fetch(`${server.url}/api/v1/channels/${server.channel_id}`, { headers })
  expect((await use()).status).toBe(200)
  await page.reload()
  await row.getByText('Used just now').waitFor()
  await expect.poll(() => page.locator('[data-secret]').count()).toBe(0)

  await press(page, 'Revoke Deploy bot')
  // Pressing the same key twice must not revoke the key.
  await page.locator('button:focus', { hasText: 'Cancel' }).waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await row.waitFor({ state: 'hidden' })
  expect((await use()).status).toBe(401)
  expect(faults).toEqual([])
})

test('a dialog takes the focus, keeps it, and returns it to its button', async () => {
  const { page } = await open('/dashboard/keys')
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

test('usage counts towards the daily limits', async () => {
  const { page } = await open('/dashboard/usage')
  const cards = page.getByRole('listitem').filter({ hasText: 'Cards pushed today' })
  const words = (await cards.textContent()) ?? ''
  const used = Number(/(\d+) of 20/.exec(words)?.[1])
  await api.push(server.channel_id, [text('One more')])
  await press(page, 'Refresh')
  await cards.getByText(`${used + 1} of 20`).waitFor()
})
