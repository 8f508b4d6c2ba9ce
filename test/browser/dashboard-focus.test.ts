// Keyboard use of the dashboard: where the focus goes after each action.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { openOrdered } from './support/header-actions.ts'
import { expectFocus, press, section, signUp } from './support/page.ts'
import { failWith } from './support/requests.ts'
import { comeBack, focused, openSettings, saved, settingsOf } from './support/settings.ts'
import { api, browser, open, server, session, setStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

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
  await general.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await saved(page, 'General')
  await expect.poll(() => focusedText(page)).toBe('Save')

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

test('after an undo or a dismissed toast, the focus returns to where it was', async () => {
  const attributes = { region: 'eu', stage: 'test', team: 'payments' }
  const { page } = await openSettings({ attributes })
  const list = page.getByRole('list', { name: 'Attributes' })
  await page.getByRole('button', { name: 'Delete stage' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Deleted the attribute “stage”').waitFor()
  await expectFocus(list)
  await page.keyboard.press('F8')
  await page.keyboard.press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  await expect.poll(() => focusedText(page)).toBe('Attributes')
  await page.keyboard.press('F8')
  await expect.poll(() => focusedText(page)).toBe('Dismiss')
  await page.keyboard.press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor({ state: 'hidden' })
  await expect.poll(() => focusedText(page)).toBe('Attributes')
})

test('dismissing a new key and revoking the last one keep the focus on the page', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url)
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

test('returning to the window keeps the focus, even on changed rows', async () => {
  const { id } = await api.createChannel('Counted')
  const { page } = await open('/')
  const link = page.getByRole('link', { name: 'Settings of Counted' })
  await link.focus()
  await api.push(id, [text('One')])
  await comeBack(page)
  await page.getByRole('listitem').filter({ hasText: 'Counted' }).getByText('1 card').waitFor()
  await expect.poll(() => focusedText(page)).toBe('Settings of Counted')

  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'Used', scope: 'read' })
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('button', { name: 'Revoke Used' }).focus()
  await fetch(`${server.url}/api/v1/channels/${id}`, { headers: { Authorization: `Bearer ${key}` } })
  await expect
    .poll(async () => {
      await comeBack(page)
      return page.getByRole('listitem').filter({ hasText: 'Used' }).first().textContent()
    })
    .not.toContain('Never used')
  await expect.poll(() => focusedText(page)).toBe('Revoke Used')
})

test('the pages of the log work by keyboard', async () => {
  const { id } = await api.createChannel('Long log')
  for (let i = 0; i < 30; i++)
    await session('POST', `/channels/${id}/interactions`, { trigger: { type: 'reply', text: `Reply ${i}` } })
  const { page } = await open(`${settingsOf(id)}/log`)
  await page.getByText('Reply 29').waitFor()
  await page.getByRole('button', { name: 'Older' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^Reply 4 /).waitFor()
  await expect.poll(() => focusedText(page)).not.toBe('')
  await page.getByRole('button', { name: 'Newer' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Reply 29').waitFor()
  await expect.poll(() => focusedText(page)).not.toBe('')
})

test('a rejected order keeps the focus on the handle', async () => {
  const { page } = await openOrdered()
  await page.route('**/actions/order', failWith(500, 'Internal server error'))
  for (const key of ['End', 'ArrowDown']) {
    await page.getByRole('button', { name: 'Move Alpha' }).press(key)
    await section(page, 'Header actions').getByRole('alert').getByText('Internal').waitFor()
    await expect.poll(() => focusedText(page)).toBe('Move Alpha')
  }
})

test('trying again keeps the focus on the page', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByRole('heading', { name: 'Cards pushed' }).waitFor()
  await page.route('**/api/usage', failWith(500, 'Internal server error'))
  await press(page, 'Refresh')
  await page.getByRole('alert').getByText('Internal').waitFor()
  await page.unroute('**/api/usage')
  await page.getByRole('button', { name: 'Try again' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Cards pushed today').waitFor()
  await expect.poll(() => focusedText(page)).not.toBe('')
  await expect.poll(() => focused(page).count()).toBe(1)
})
