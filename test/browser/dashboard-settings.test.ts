// Workspaces, channels and API keys from creation to deletion, with the API's errors on the fields.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { listedLabels } from './support/header-actions.ts'
import { confirmDeletion, expectFocus, press, section, unlock } from './support/page.ts'
import { addAction, addAttribute, attributesOf, openSettings, save, saved } from './support/settings.ts'
import { api, hooks, open, openAsGuest, opened, server, session, setStage } from './support/stage.ts'
import { card, PHONE } from './support/visit.ts'

setStage({ WORKSPACE_LIMIT: '4' })

test('a workspace is created, renamed, and deleted after typing its name', async () => {
  const { page } = await open('/')
  await press(page, 'New workspace')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Icon').fill('two')
  await dialog.getByLabel('Name').fill('Short-lived')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await dialog.getByText('Icon must be a single emoji').waitFor()
  await dialog.getByLabel('Icon').fill('🧪')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  // Its first channel comes next.
  await page.getByText('into a channel of Short-lived').waitFor()
  await page.goto(`${server.url}/dashboard/workspaces/${new URL(page.url()).searchParams.get('workspace')}`)
  await page.getByRole('heading', { name: 'Short-lived' }).waitFor()

  await section(page, 'General').getByLabel('Name').fill('Renamed')
  await save(page)
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await saved(page)

  await press(page, 'Delete workspace')
  const question = page.getByRole('alertdialog')
  await question.getByLabel('Type “Renamed” to confirm').fill('Something else')
  await expect.poll(() => question.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'Delete workspace' }).waitFor()

  await confirmDeletion(page, 'Delete workspace', 'Renamed')
  await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor()
  await page.getByRole('region', { name: 'Demo' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Renamed' }).count()).toBe(0)
})

test('the last workspace can’t be deleted, and the dialog says so', async () => {
  const { page } = await open(`/dashboard/workspaces/${server.workspace_id}`)
  await confirmDeletion(page, 'Delete workspace', 'Demo')
  await page.getByRole('alertdialog').getByText('You can’t delete your only workspace').waitFor()
})

test('a protected workspace requires a password, which opens its channels', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Guarded' })
  const channel = await session<{ id: string }>('POST', '/channels', { name: 'Inside', workspace_id: id })
  await api.push(channel.id, [text('For who knows')])
  const { page } = await open(`/dashboard/workspaces/${id}`)
  const access = section(page, 'Visibility')
  await access.getByLabel('Anyone with the password').check()
  await save(page)
  await access.getByText('Password is required').waitFor()
  await access.getByLabel('Password', { exact: true }).fill('short')
  await save(page)
  await access.getByText('Password must be 8 to 128 characters').waitFor()
  await access.getByLabel('Password', { exact: true }).fill('a good password')
  await save(page)
  await saved(page)

  const { page: viewer } = await openAsGuest(`/c/${channel.id}`)
  await unlock(viewer, 'a good password')
  await card(viewer, 'For who knows').waitFor()
  await session('DELETE', `/workspaces/${id}`)
})

test('a channel is created, its open page follows every change, and its deletion leads home', async () => {
  const { page } = await open('/')
  await press(page, 'New channel in Demo')
  await page.getByRole('dialog').getByLabel('Name').fill('Invoices')
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('link', { name: 'Channel settings' }).click()
  await page.waitForURL('**/dashboard/channels/*')
  await section(page, 'General').getByText('$API_KEY').waitFor()
  const id = page.url().split('/').at(-1) ?? ''

  const { page: viewer } = await opened(id)
  await section(page, 'General').getByLabel('Name').fill('Bills')
  await section(page, 'General').getByLabel('Description').fill('What is owed.')
  await save(page)
  await viewer.getByRole('heading', { name: 'Bills' }).waitFor()
  await viewer.getByText('What is owed.').waitFor()

  for (const label of ['First', 'Second']) await addAction(page, label)
  await save(page)
  await saved(page)
  await expect.poll(() => listedLabels(page)).toEqual(['First', 'Second'])
  await viewer.getByRole('button', { name: 'Second' }).waitFor()

  // Unsaved edits of a deleted channel raise no question.
  await section(page, 'General').getByLabel('Description').fill('Not saved')
  await confirmDeletion(page, 'Delete channel', 'Bills')
  await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor()
  await page.getByText('“Bills” deleted').waitFor()
  expect(new URL(page.url()).pathname).toBe('/')
  await viewer.getByRole('heading', { name: 'Channel not found' }).waitFor()
})

test('attributes are added, changed and deleted, and the workspace settings use them', async () => {
  const { id, page } = await openSettings()
  const part = section(page, 'Attributes')
  await addAttribute(page, 'Team', 'payments')
  await addAttribute(page, 'stage', 'test')
  await save(page)
  await saved(page)
  await part.getByLabel('Value of team').waitFor()
  const attributes = () => attributesOf(id)
  expect(await attributes()).toMatchObject({ team: 'payments', stage: 'test' })
  await part.getByLabel('Value of team').fill('platform')
  await part.getByLabel('Value of stage').fill('')
  await part.getByText('Deleted when you save.').waitFor()
  await save(page)
  await saved(page)
  await part.getByLabel('Value of stage').waitFor({ state: 'hidden' })
  expect(await attributes()).toMatchObject({ team: 'platform' })
  expect(await attributes()).not.toHaveProperty('stage')

  await page.goto(`${server.url}/dashboard/workspaces/${server.workspace_id}`)
  await page.getByLabel('Filter by team').check()
  await save(page)
  await saved(page)
  const settings = await session('GET', `/workspaces/${server.workspace_id}/attribute-settings`)
  expect(settings).toContainEqual({ key: 'team', use_as_filter: true, show_in_sidebar: false })
})

test('a webhook is saved and tested, and its secret is rotated', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 418, body: 'no coffee here' }))
  const { page } = await openSettings()
  const part = section(page, 'Webhook')
  await part.getByLabel('Webhook URL').fill('ftp://example.com')
  await save(page)
  await part.getByText('Webhook URL must be a valid HTTP or HTTPS URL').waitFor()
  await part.getByLabel('Webhook URL').fill(hooks.url)
  await save(page)
  await saved(page)
  await part.getByRole('button', { name: 'Send test' }).click()
  await part.getByText('Failed · 418').waitFor()
  await part.getByText('no coffee here').waitFor()
  expect(hooks.received).toHaveLength(1)
  // A success shows what was received on request.
  hooks.behave(() => ({ kind: 'answer', status: 200, body: 'all good' }))
  await part.getByRole('button', { name: 'Send test' }).click()
  await part.getByText('Delivered · 200').waitFor()
  await expect.poll(() => part.getByText('all good').isVisible()).toBe(false)
  await part.getByText('Response', { exact: true }).click()
  await part.getByText('all good').waitFor()

  await part.getByRole('button', { name: 'Show the signing secret' }).click()
  const secret = part.locator('.secret code')
  const before = await secret.textContent()
  expect(before).toMatch(/^whsec_/)
  await part.getByRole('button', { name: 'Rotate the signing secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await expect.poll(() => secret.textContent()).not.toBe(before)
})

/** On phones each workspace has a menu too. */
const menuButton = (page: Page) => page.getByRole('button', { name: 'Menu', exact: true })

test.each([320, 390, 900])(
  'the menu button shows all dashboard links at a width of %i pixels',
  async width => {
    const { page } = await open('/')
    await page.setViewportSize({ width, height: 844 })
    const places = page.getByRole('navigation', { name: 'Dashboard' })
    await expect.poll(() => places.count()).toBe(0)
    await menuButton(page).click()
    await places.getByRole('link', { name: 'Usage' }).waitFor()
    const hidden = () => places.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    await expect.poll(hidden).toBe(0)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
    await page.keyboard.press('Escape')
    await expect.poll(() => places.count()).toBe(0)
    await expectFocus(menuButton(page))
  },
)

test('on a phone the bar names the page only while its heading is out of sight', async () => {
  const { id } = await api.createChannel('Far below')
  const { page } = await open(`/dashboard/channels/${id}`, PHONE)
  const title = page.locator('.shell-bar-title')
  await page.getByRole('heading', { name: 'Far below', level: 1 }).waitFor()
  expect(await title.textContent()).toBe('')
  await page.getByRole('heading', { name: 'Danger zone' }).scrollIntoViewIfNeeded()
  await expect.poll(() => title.textContent()).toBe('Far below')
  await page.evaluate(() => scrollTo(0, 0))
  await expect.poll(() => title.textContent()).toBe('')
})

test('the menu closes when the focus leaves it for the page', async () => {
  const { page } = await open('/', PHONE)
  await menuButton(page).click()
  await expectFocus(page.getByRole('link', { name: 'Channel Feed', exact: true }))
  const menu = page.getByRole('navigation', { name: 'Dashboard' })
  const focused = page.locator('.shell-page :focus')
  while ((await focused.count()) === 0) {
    expect(await menu.isVisible()).toBe(true)
    await page.keyboard.press('Tab')
  }
  await menu.waitFor({ state: 'hidden' })
  await menuButton(page).click()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page
    .getByRole('heading', { name: 'Cards pushed' })
    .or(page.getByText('No activity'))
    .first()
    .waitFor()
  await menuButton(page).click()
})

test('a missing channel and an ended session are explained', async () => {
  const { page } = await open('/dashboard/channels/3f1c1b0e-0000-4000-8000-000000000000')
  await page.getByRole('heading', { name: 'Channel not found' }).waitFor()
  await page.getByRole('alert').getByText('This page was deleted, or you have no access to it').waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('alert').getByText('Your session has ended').waitFor()
  await page.reload()
  await page.waitForURL('**/sign-in?return=%2Fdashboard%2Fkeys')
})

test('a slug is checked while it is typed, and only an available one is saved', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Taken by me' })
  const { page } = await open(`/dashboard/workspaces/${server.workspace_id}`)
  const address = section(page, 'Address')
  const field = address.getByLabel('Custom slug')
  await field.fill('Fresh Name')
  await address.getByText('Custom slug must be 3-48 lowercase letters, digits or hyphens').waitFor()
  await address.getByRole('button', { name: 'Use fresh-name' }).click()
  await address.getByText(`Available. The address is ${server.url}/w/by-slug/fresh-name`).waitFor()
  await field.fill('taken-by-me')
  await save(page)
  await address.getByText('Custom slug is already taken').waitFor()
  await field.fill('fresh-name')
  await address.getByText('Available.').waitFor()
  await save(page)
  await saved(page)
  await address.getByText('Available.').waitFor({ state: 'hidden' })
  await address.getByRole('code').filter({ hasText: '/w/by-slug/fresh-name' }).waitFor()
  const workspace = await session('GET', `/workspaces/${server.workspace_id}`)
  expect(workspace).toMatchObject({ custom_slug: 'fresh-name' })
  await session('DELETE', `/workspaces/${id}`)
})

test('a key is visible once, works, and stops working when revoked', async () => {
  const { page } = await open('/dashboard/keys')
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
  const command = page.getByRole('region', { name: 'the command that lists your workspaces', exact: true })
  expect(await command.textContent()).toContain(`Bearer ${key}`)
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
})
