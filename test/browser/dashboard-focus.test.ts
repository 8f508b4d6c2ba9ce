// The dashboard without a mouse: where the focus is when what had it has done its work.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { api, browser, open, server, session, stageDashboard } from './support/dashboard-stage.ts'
import { section, signUp } from './support/page.ts'
import { visit } from './support/visit.ts'

stageDashboard({ WORKSPACE_LIMIT: '0' })

const settingsOf = (id: string) => `/dashboard/channels/${id}`
const focused = (page: Page) => page.locator(':focus')
/** Empty where nothing has it. */
const focusedWords = (page: Page) =>
  page.evaluate(() => {
    const at = document.activeElement
    return at === document.body || at === null ? '' : (at.getAttribute('aria-label') ?? at.textContent ?? '')
  })

test('a button that waits for the server keeps the focus', async () => {
  const { id } = await api.createChannel('Waiting', { webhook_url: 'http://127.0.0.1:1/hook' })
  const { page } = await open(settingsOf(id))
  const general = section(page, 'General')
  await general.getByLabel('Name').fill('Waited')
  await general.getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await general.getByText('Saved', { exact: true }).waitFor()
  await expect.poll(() => focusedWords(page)).toBe('Save')

  const webhook = section(page, 'Webhook')
  await webhook.getByRole('button', { name: 'Show' }).focus()
  await page.keyboard.press('Enter')
  await webhook.getByText('whsec_').waitFor()
  await expect.poll(() => focusedWords(page)).toContain('Hide')
  await webhook.getByRole('button', { name: 'Send a test' }).focus()
  await page.keyboard.press('Enter')
  await webhook.getByText('Failed').waitFor()
  await expect.poll(() => focusedWords(page)).toBe('Send a test')
})

test('after an undo the focus is back where it was, and so when a notification is dismissed', async () => {
  const attributes = { region: 'eu', stage: 'test', team: 'payments' }
  const { id } = await api.createChannel('Taken back', { attributes })
  const { page } = await open(settingsOf(id))
  const list = page.getByRole('list', { name: 'Attributes' })
  await page.getByRole('button', { name: 'Remove stage' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Removed the attribute “stage”').waitFor()
  await expect.poll(() => list.evaluate(element => element === document.activeElement)).toBe(true)
  await page.keyboard.press('F8')
  await page.keyboard.press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor()
  await expect.poll(() => focusedWords(page)).toBe('Attributes')
  await page.keyboard.press('F8')
  await expect.poll(() => focusedWords(page)).toBe('Dismiss')
  await page.keyboard.press('Enter')
  await page.getByText('Undone', { exact: true }).waitFor({ state: 'hidden' })
  await expect.poll(() => focusedWords(page)).toBe('Attributes')
})

test('a key’s “Done”, and revoking the only one, leave the focus on the page', async () => {
  const { page } = await visit(browser)
  await signUp(page, server.url, 'focus@example.com')
  await page.goto(`${server.url}/dashboard/keys?new=key`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Only')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('button', { name: 'Done' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Copy it now').waitFor({ state: 'hidden' })
  await expect.poll(() => focusedWords(page)).not.toBe('')
  await page.getByRole('button', { name: 'Revoke Only' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).click()
  await page.getByRole('heading', { name: 'No keys' }).waitFor()
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => focusedWords(page)).not.toBe('')
})

test('who comes back to the window finds the focus where it was, also on what has changed', async () => {
  const { id } = await api.createChannel('Counted')
  const { page } = await open('/')
  const link = page.getByRole('link', { name: 'Settings of Counted' })
  await link.focus()
  await api.push(id, [text('One')])
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await page.getByRole('listitem').filter({ hasText: 'Counted' }).getByText('1 card').waitFor()
  await expect.poll(() => focusedWords(page)).toBe('Settings of Counted')

  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'Used', scope: 'read' })
  await page.goto(`${server.url}/dashboard/keys`)
  await page.getByRole('button', { name: 'Revoke Used' }).focus()
  await fetch(`${server.url}/api/v1/channels/${id}`, { headers: { Authorization: `Bearer ${key}` } })
  await expect
    .poll(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event('focus')))
      return page.getByRole('listitem').filter({ hasText: 'Used' }).first().textContent()
    })
    .not.toContain('Never used')
  await expect.poll(() => focusedWords(page)).toBe('Revoke Used')
})

test('the pages of the log are turned from the keyboard', async () => {
  const { id } = await api.createChannel('Long log')
  for (let i = 0; i < 30; i++)
    await session('POST', `/channels/${id}/interactions`, { trigger: { type: 'reply', text: `Reply ${i}` } })
  const { page } = await open(`${settingsOf(id)}/log`)
  await page.getByText('Reply 29').waitFor()
  await page.getByRole('button', { name: 'Older' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^Reply 4 /).waitFor()
  await expect.poll(() => focusedWords(page)).not.toBe('')
  await page.getByRole('button', { name: 'Newer' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Reply 29').waitFor()
  await expect.poll(() => focusedWords(page)).not.toBe('')
})

test('an order that is refused leaves the focus on the handle', async () => {
  const { id } = await api.createChannel('Refused order')
  for (const [position, label] of ['Alpha', 'Beta', 'Gamma'].entries())
    await api.addAction(id, label, 'secondary', position)
  const { page } = await open(settingsOf(id))
  await page.route('**/actions/order', route =>
    route.fulfill({ status: 500, json: { error: 'Internal server error' } }),
  )
  for (const key of ['End', 'ArrowDown']) {
    await page.getByRole('button', { name: 'Move Alpha' }).press(key)
    await section(page, 'Header actions').getByRole('alert').getByText('Internal').waitFor()
    await expect.poll(() => focusedWords(page)).toBe('Move Alpha')
  }
})

test('trying again leaves the focus on the page', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByRole('heading', { name: 'Cards pushed' }).waitFor()
  await page.route('**/api/usage', route =>
    route.fulfill({ status: 500, json: { error: 'Internal server error' } }),
  )
  await page.getByRole('button', { name: 'Refresh' }).click()
  await page.getByRole('alert').getByText('Internal').waitFor()
  await page.unroute('**/api/usage')
  await page.getByRole('button', { name: 'Try again' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Cards pushed today').waitFor()
  await expect.poll(() => focusedWords(page)).not.toBe('')
  await expect.poll(() => focused(page).count()).toBe(1)
})
