// The account page: name, password and sessions.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { enterCredentials, press, section } from './support/page.ts'
import { makeSession, makeUser } from './support/session.ts'
import { save, saved } from './support/settings.ts'
import { createChannel, open, openAsGuest, opened, server, setStage, signedIn } from './support/stage.ts'
import { card, FIREFOX, openChannel, PHONE, SAFARI } from './support/visit.ts'

setStage()

/** Opens a private channel as its owner. */
async function watching(id: string, options: BrowserContextOptions = {}): Promise<Page> {
  const { page } = await opened(id, options)
  await card(page, 'For the owner').waitFor()
  return page
}

async function changePassword(page: Page, current: string, next: string): Promise<void> {
  const open = page.getByRole('button', { name: 'Change password…' })
  if (!(await page.getByRole('dialog').isVisible())) await open.click()
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel('New password').fill(next)
  await page.getByRole('dialog').getByRole('button', { name: 'Change password' }).click()
}

test('the account link follows a changed name', async () => {
  const ann = await makeUser(server, 'Ann')
  const { page } = await signedIn({}, ann)
  await page.goto(server.url)
  await page.getByRole('link', { name: 'Account of Ann' }).click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  const you = section(page, 'You')
  await you.getByText(ann.email).waitFor()
  await you.getByLabel('Name').fill('')
  await save(page)
  await you.getByText('Name is required').waitFor()
  await you.getByLabel('Name').fill('Zoë Example')
  await you.getByLabel('Name').press('Enter')
  await saved(page)
  const link = page.getByRole('link', { name: 'Account of Zoë Example' })
  await expect.poll(() => link.textContent()).toContain('Zoë Example')
  await page.reload()
  await link.waitFor()
  await expect.poll(() => you.getByLabel('Name').inputValue()).toBe('Zoë Example')
})

test('changing the password requires the current one and ends all other sessions', async () => {
  const user = await makeUser(server)
  const { page } = await signedIn({}, user)
  const { page: other } = await openAsGuest('/sign-in?return=/dashboard/keys', { userAgent: FIREFOX })
  const enter = (password: string) => enterCredentials(other, user.email, password)
  await enter('a long password')
  await other.getByRole('heading', { name: 'API keys', exact: true }).waitFor()

  await page.goto(`${server.url}/dashboard/account`)
  const part = page.getByRole('dialog')
  const change = (current: string, next: string) => changePassword(page, current, next)
  await change('a long password', 'short')
  await part.getByText('New password must be 8 to 128 characters').waitFor()
  await change('not the password', 'an even longer password')
  await part.getByText('That password isn’t right. Try again.').waitFor()
  await expect.poll(() => part.getByLabel('Current password').getAttribute('aria-invalid')).toBe('true')
  await page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' }).waitFor()
  await change('a long password', 'an even longer password')
  await page.getByText('Password changed. You are signed out everywhere else.').waitFor()
  await part.waitFor({ state: 'hidden' })
  await page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' }).waitFor({ state: 'hidden' })

  await other.getByRole('link', { name: 'Usage' }).click()
  await other.getByRole('alert').getByText('Your session has ended').waitFor()
  await other.getByRole('link', { name: 'Sign in' }).click()
  await enter('a long password')
  await other.getByText('That e-mail and password don’t match. Try again.').waitFor()
  await enter('an even longer password')
  await other.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('listitem').filter({ hasText: 'Firefox on Windows' }).waitFor()
})

test('changing the password keeps other tabs of the browser open, with their drafts', async () => {
  const owner = await makeUser(server)
  const session = await makeSession({ url: server.url, owner })
  const { id: workspace_id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Tabs' })
  const fields = { name: 'In a tab', workspace_id, mode: 'interactive' }
  const channel = await session<{ id: string }>('POST', '/channels', fields)
  const { page } = await signedIn({}, owner)
  const tab = await page.context().newPage()
  await openChannel(tab, server, channel.id)
  await tab.getByRole('textbox', { name: 'Reply' }).fill('Half a sen')
  const closed = tab.waitForEvent('websocket')

  await page.goto(`${server.url}/dashboard/account`)
  await changePassword(page, 'a long password', 'an even longer password')
  await page.getByText('Password changed.').waitFor()
  // The socket used the old cookie and reconnects with the new one.
  await closed
  await tab.locator('[data-link="live"]').waitFor()
  await expect.poll(() => tab.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Half a sen')
})

test('ending a session closes its private pages', async () => {
  const { id } = await createChannel({}, text('For the owner'))
  const phone = await watching(id, { userAgent: SAFARI })
  const { page } = await open('/dashboard/account', { userAgent: FIREFOX })
  const rows = section(page, 'Sessions').getByRole('listitem')
  await rows.first().getByText('Firefox on Windows').waitFor()
  await rows.first().getByText('This session').waitFor()
  const row = rows.filter({ hasText: 'Safari on iPhone' })
  await row.getByText('Used within the last hour').waitFor()
  await row.getByRole('button', { name: 'Sign out Safari on iPhone' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('Safari on iPhone is signed out.').waitFor()
  await phone.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await expect.poll(() => phone.getByRole('article').count()).toBe(0)
  await expect.poll(() => row.count()).toBe(0)
  await page.locator('[aria-label="Sessions"]:focus').waitFor()
})

test('signing out everywhere else closes the private pages of all other sessions', async () => {
  const { id } = await createChannel({}, text('For the owner'))
  const others = [await watching(id), await watching(id, { userAgent: SAFARI })]
  const { page } = await open('/dashboard/account')
  await press(page, 'Sign out everywhere else')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
  for (const other of others) await other.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await page.getByText(/sessions are signed out/).waitFor()
  await expect.poll(() => section(page, 'Sessions').getByRole('listitem').count()).toBe(1)
  await expect.poll(() => page.getByRole('button', { name: 'Sign out everywhere else' }).count()).toBe(0)
  await openChannel(page, server, id)
})

test('on a phone, the account page signs out, and reports when it fails offline', async () => {
  const { id } = await createChannel({}, text('For the owner'))
  const page = await watching(id, { viewport: PHONE.viewport })
  await page.getByRole('link', { name: 'Account of' }).click()
  const out = page.getByRole('button', { name: 'Sign out here' })
  await out.waitFor()
  await page.context().setOffline(true)
  await out.click()
  await page.getByText('You’re still signed in').waitFor()
  await page.context().setOffline(false)
  await out.click()
  await page.getByRole('heading', { name: 'Live feeds for your automations' }).waitFor()
})

test('signing out of an ended session still deletes local data', async () => {
  const { page } = await open('/dashboard/account')
  await section(page, 'Sessions').getByRole('listitem').first().waitFor()
  await page.context().clearCookies()
  await section(page, 'You').getByLabel('Name').fill('Somebody else')
  await save(page)
  await page.getByText('Your session has ended').waitFor()
  await press(page, 'Discard')
  await press(page, 'Sign out here')
  await page.getByRole('heading', { name: 'Live feeds for your automations' }).waitFor()
})
