// Workspaces and channels, from their making to their end, with the API's words where something is refused.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { startReceiver } from '../support/receiver.ts'
import { text } from './support/api.ts'
import { api, browser, open, server, session, stageDashboard } from './support/dashboard-stage.ts'
import { confirmDeletion, section } from './support/page.ts'
import { card, openChannel, signIn, visit } from './support/visit.ts'

stageDashboard({ WORKSPACE_LIMIT: '4' })

const save = (page: Page, part: string) => section(page, part).getByRole('button', { name: 'Save' }).click()
const saved = (page: Page, part: string) => section(page, part).getByText('Saved', { exact: true }).waitFor()

test('a workspace is made, renamed, and deleted once its name is typed', async () => {
  const { page, faults } = await open('/')
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Icon').fill('two')
  await dialog.getByLabel('Name').fill('Short-lived')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await dialog.getByText('Icon must be a single emoji').waitFor()
  await dialog.getByLabel('Icon').fill('🧪')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Short-lived' }).waitFor()

  await section(page, 'General').getByLabel('Name').fill('Renamed')
  await save(page, 'General')
  await page.getByRole('heading', { name: 'Renamed' }).waitFor()
  await saved(page, 'General')

  await page.getByRole('button', { name: 'Delete workspace' }).click()
  const question = page.getByRole('alertdialog')
  await question.getByLabel('Type “Renamed” to confirm').fill('Something else')
  await expect.poll(() => question.getByRole('button', { name: 'Delete workspace' }).isDisabled()).toBe(true)
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'hidden' })
  await page.locator('button:focus', { hasText: 'Delete workspace' }).waitFor()

  await confirmDeletion(page, 'Delete workspace', 'Renamed')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  await page.getByRole('region', { name: 'Demo' }).waitFor()
  await expect.poll(() => page.getByRole('region', { name: 'Renamed' }).count()).toBe(0)
  expect(faults).toEqual([])
})

test('the last workspace stays, and the dialog says so', async () => {
  const { page } = await open(`/dashboard/workspaces/${server.workspace_id}`)
  await confirmDeletion(page, 'Delete workspace', 'Demo')
  await page.getByRole('alertdialog').getByText('Cannot delete the last workspace').waitFor()
})

test('a password is asked for where it is needed, and opens the channel to whoever has it', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Guarded' })
  const channel = await session<{ id: string }>('POST', '/channels', { name: 'Inside', workspace_id: id })
  await api.push(channel.id, [text('For who knows')])
  const { page } = await open(`/dashboard/workspaces/${id}`)
  const access = section(page, 'Who may see it')
  await access.getByLabel('Whoever has the password').check()
  await save(page, 'Who may see it')
  await access.getByText('Password is required').waitFor()
  await access.getByLabel('Password', { exact: true }).fill('short')
  await save(page, 'Who may see it')
  await access.getByText('Password must be 8 to 128 characters').waitFor()
  await access.getByLabel('Password', { exact: true }).fill('a good password')
  await save(page, 'Who may see it')
  await saved(page, 'Who may see it')

  const { page: viewer } = await visit(browser)
  await viewer.goto(`${server.url}/c/${channel.id}`)
  await viewer.getByLabel('Password').fill('a good password')
  await viewer.getByRole('button', { name: 'Open' }).click()
  await card(viewer, 'For who knows').waitFor()
  await session('DELETE', `/workspaces/${id}`)
})

test('a slug of one’s own is refused in the words of the API, and taken when it is good', async () => {
  const { page } = await open(`/dashboard/workspaces/${server.workspace_id}`)
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Taken name' })
  const address = section(page, 'Address')
  await address.getByLabel('Custom slug').fill('No')
  await save(page, 'Address')
  await address.getByText('Custom slug must be 3-48 lowercase letters, digits or hyphens').waitFor()
  await address.getByLabel('Custom slug').fill('taken-name')
  await save(page, 'Address')
  await address.getByText('Custom slug is already taken').waitFor()
  await address.getByLabel('Custom slug').fill('acme')
  await save(page, 'Address')
  await address
    .getByRole('code')
    .filter({ hasText: `${server.url}/w/by-slug/acme` })
    .waitFor()
  await session('DELETE', `/workspaces/${id}`)
})

test('what is chosen at once is kept, and put back with the reason where that fails', async () => {
  const { page } = await open(`/dashboard/workspaces/${server.workspace_id}`)
  const look = section(page, 'Layout')
  await look.getByRole('radio', { name: 'Grid' }).check()
  const kept = () => session('GET', `/workspaces/${server.workspace_id}`)
  await expect.poll(kept).toMatchObject({ layout: 'grid' })
  await page.reload()
  await expect.poll(() => look.getByRole('radio', { name: 'Grid' }).isChecked()).toBe(true)

  await page.context().setOffline(true)
  await look.getByRole('switch', { name: 'Search' }).click()
  await look.getByText('The server cannot be reached').waitFor()
  await expect.poll(() => look.getByRole('switch', { name: 'Search' }).isChecked()).toBe(true)
  await expect.poll(() => look.getByRole('radio', { name: 'Grid' }).isChecked()).toBe(true)
})

test('a channel is made, and what is changed of it shows on its open page', async () => {
  const { page, faults } = await open('/')
  await page.getByRole('button', { name: 'New channel in Demo' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Invoices')
  await page.getByRole('dialog').getByRole('button', { name: 'Create channel' }).click()
  await page.waitForURL('**/dashboard/channels/*')
  const id = page.url().split('/').at(-1) ?? ''

  const { page: viewer } = await visit(browser)
  await signIn(viewer, server)
  await openChannel(viewer, server, id)
  await section(page, 'General').getByLabel('Name').fill('Bills')
  await section(page, 'General').getByLabel('Description').fill('What is owed.')
  await save(page, 'General')
  await viewer.getByRole('heading', { name: 'Bills' }).waitFor()
  await viewer.getByText('What is owed.').waitFor()

  const actions = section(page, 'Header actions')
  for (const label of ['First', 'Second']) {
    await actions.getByLabel('Label').fill(label)
    await actions.getByRole('button', { name: 'Add action' }).click()
    await actions.getByRole('listitem').filter({ hasText: label }).waitFor()
  }
  await expect.poll(() => actions.locator('.swatch').allTextContents()).toEqual(['First', 'Second'])
  await viewer.getByRole('button', { name: 'Second' }).waitFor()

  await confirmDeletion(page, 'Delete channel', 'Bills')
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  await viewer.getByRole('heading', { name: 'There is no such channel' }).waitFor()
  expect(faults).toEqual([])
})

test('attributes are added, changed and removed, and the workspace sets what it does with them', async () => {
  const { id } = await api.createChannel('Attributed')
  const { page } = await open(`/dashboard/channels/${id}`)
  const part = section(page, 'Attributes')
  const add = async (key: string, value: string) => {
    await part.getByLabel('Key').fill(key)
    await part.getByLabel('Value', { exact: true }).fill(value)
    await part.getByRole('button', { name: 'Add attribute' }).click()
  }
  await add('Created_At', 'now')
  await part.getByText('created_at is reserved').waitFor()
  await add('Team', 'payments')
  await part.getByLabel('Value of team').waitFor()
  await add('stage', 'test')
  await part.getByLabel('Value of stage').fill('production')
  await part.getByLabel('Value of stage').press('Enter')
  const attributes = () => session<Record<string, string>>('GET', `/channels/${id}/attributes`)
  await expect.poll(attributes).toMatchObject({ team: 'payments', stage: 'production' })
  await part.getByRole('button', { name: 'Remove stage' }).click()
  await part.getByLabel('Value of stage').waitFor({ state: 'hidden' })
  await expect.poll(attributes).not.toHaveProperty('stage')

  await page.goto(`${server.url}/dashboard/workspaces/${server.workspace_id}`)
  await page.getByLabel('Filter by team').check()
  const settings = () => session('GET', `/workspaces/${server.workspace_id}/attribute-settings`)
  await expect.poll(settings).toContainEqual({ key: 'team', use_as_filter: true, show_in_sidebar: false })
})

test('a webhook is set, tested, and its secret shown and rotated', async () => {
  const receiver = await startReceiver()
  receiver.behave(() => ({ kind: 'answer', status: 418, body: 'no coffee here' }))
  const { id } = await api.createChannel('Hooked')
  const { page } = await open(`/dashboard/channels/${id}`)
  const part = section(page, 'Webhook')
  await part.getByLabel('Webhook URL').fill('ftp://example.com')
  await save(page, 'Webhook')
  await part.getByText('Webhook URL must be a valid HTTP or HTTPS URL').waitFor()
  await part.getByLabel('Webhook URL').fill(receiver.url)
  await save(page, 'Webhook')
  await part.getByRole('button', { name: 'Send a test' }).click()
  await part.getByText('Failed · 418').waitFor()
  await part.getByText('no coffee here').waitFor()
  expect(receiver.received).toHaveLength(1)

  await part.getByRole('button', { name: 'Show the signing secret' }).click()
  const secret = part.locator('.secret code')
  const before = await secret.textContent()
  expect(before).toMatch(/^whsec_/)
  await part.getByRole('button', { name: 'Rotate the signing secret' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click()
  await expect.poll(() => secret.textContent()).not.toBe(before)
  await receiver.stop()
})

test.each([320, 390, 530])('all places of the dashboard are in sight, %i pixels wide', async width => {
  const { page } = await open('/')
  await page.setViewportSize({ width, height: 844 })
  const places = page.getByRole('navigation', { name: 'Dashboard' })
  await places.getByRole('link', { name: 'Usage' }).waitFor()
  await expect
    .poll(() => places.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
    .toBe(0)
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
})

test('what cannot be had says why: another’s channel, and a session that has ended', async () => {
  const { page } = await open('/dashboard/channels/3f1c1b0e-0000-4000-8000-000000000000')
  await page.getByRole('heading', { name: 'Channel not found' }).waitFor()
  await page.getByRole('alert').getByText('It was deleted, or it belongs to another account').waitFor()
  await page.context().clearCookies()
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('alert').getByText('Your session has ended').waitFor()
  await page.reload()
  await page.waitForURL('**/sign-in?return=%2Fdashboard%2Fkeys')
})
