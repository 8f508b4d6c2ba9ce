// Keyboard use of the dashboard: where the focus goes after each action.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectFocus, press, section } from './support/page.ts'
import { failWith } from './support/requests.ts'
import { makeUser } from './support/session.ts'
import { focused, openSettings, saveBar, saved } from './support/settings.ts'
import { open, server, setStage, signedIn } from './support/stage.ts'

setStage()

/** Empty if nothing has the focus. */
const focusedText = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    return at === document.body || at === null ? '' : (at.getAttribute('aria-label') ?? at.textContent ?? '')
  })

test('a button keeps the focus while its request is pending', async () => {
  const { page } = await openSettings({ webhook_url: 'http://127.0.0.1:1/hook' })
  const general = section(page, 'General')
  await general.getByLabel('Name').fill('Waited')
  await saveBar(page).getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await saved(page)
  // The bar is gone; its section has the focus.
  await expectFocus(general)

  const webhook = section(page, 'Webhook')
  await webhook.getByRole('button', { name: 'Show' }).focus()
  await page.keyboard.press('Enter')
  await webhook.getByText('whsec_').waitFor()
  await expect.poll(() => focusedText(page)).toContain('Hide')
  await webhook.getByRole('button', { name: 'Send test' }).focus()
  await page.keyboard.press('Enter')
  await webhook.getByText('Failed').waitFor()
  await expect.poll(() => focusedText(page)).toBe('Send test')
})

test('the focus returns from a dismissed toast to where it was', async () => {
  const { page } = await openSettings()
  const name = section(page, 'General').getByLabel('Name')
  await name.fill('Renamed')
  await name.press('Enter')
  await saved(page)
  await expectFocus(name)
  await page.keyboard.press('F8')
  await expect.poll(() => focusedText(page)).toBe('Dismiss')
  await page.keyboard.press('Enter')
  await page.locator('.toast').waitFor({ state: 'hidden' })
  await expectFocus(name)
})

test('dismissing a new key and revoking the last one keep the focus on the page', async () => {
  const { page } = await signedIn({}, await makeUser(server))
  await page.goto(`${server.url}/dashboard/keys?new=key`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Only')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Copy it now').waitFor({ state: 'hidden' })
  await expect.poll(() => focusedText(page)).not.toBe('')
  await press(page, 'Revoke Only')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('heading', { name: 'No API keys yet' }).waitFor()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focusedText(page)).not.toBe('')
})

test('trying again keeps the focus on the page', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByRole('heading', { name: 'Cards pushed' }).waitFor()
  await page.route('**/api/usage', failWith('internal_error'))
  await press(page, 'Refresh')
  await page.getByRole('alert').getByText('Something went wrong on the server').waitFor()
  await page.unroute('**/api/usage')
  await page.getByRole('button', { name: 'Try again' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Cards pushed today').waitFor()
  await expect.poll(() => focusedText(page)).not.toBe('')
  await expect.poll(() => focused(page).count()).toBe(1)
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
