// /w/{slug}: a workspace's page, for whoever may see it, as a list and as a grid.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { card, signIn, visit } from './support/visit.ts'
import { makeWorkspaces, openWorkspace } from './support/workspaces.ts'

let server: TestServer
let browser: Browser
let api: Api
let workspaces: Awaited<ReturnType<typeof makeWorkspaces>>

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', WORKSPACE_LIMIT: '0' })
  browser = await launchChromium()
  api = makeApi(server)
  workspaces = await makeWorkspaces(server)
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

async function signedIn() {
  const opened = await visit(browser)
  await signIn(opened.page, server)
  return opened
}

test('a private workspace asks for a sign-in; its owner sees its channels and the way to its settings', async () => {
  const workspace = await workspaces.make('Private')
  await workspace.addChannel('Invoices')
  const { page, faults } = await visit(browser)
  await page.goto(workspace.url)
  await page.getByRole('heading', { name: 'This workspace is private' }).waitFor()
  await signIn(page, server)
  await page.reload()
  await page.getByRole('heading', { name: 'Private' }).waitFor()
  await page
    .getByRole('link', { name: /Invoices/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Workspace settings' }).click()
  await page.waitForURL(`${server.url}/dashboard/workspaces/${workspace.id}`)
  expect(faults).toEqual([])
})

test('a protected one opens with its password, by either slug; an unknown one is not there', async () => {
  const workspace = await workspaces.make('Shared')
  await workspace.addChannel('Invoices')
  await workspace.set({ visibility: 'protected', password: 'open sesame', custom_slug: 'shared-feeds' })
  const { page, faults } = await visit(browser)
  await page.goto(`${server.url}/w/by-slug/shared-feeds`)
  await page.getByLabel('Password').fill('not this one')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('alert').getByText('Invalid password').waitFor()
  await page.getByLabel('Password').fill('open sesame')
  await page.getByRole('button', { name: 'Open' }).click()
  await page
    .getByRole('link', { name: /Invoices/ })
    .first()
    .waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Workspace settings' }).count()).toBe(0)
  await openWorkspace(page, workspace)
  // Also where an address is no UTF-8, or holds what is no slug.
  for (const slug of ['nowhere', '%E0%A4%A', 'by-slug/%C3%9Cber', 'a%2Fb', '%00']) {
    await page.goto(`${server.url}/w/${slug}`)
    await page.getByRole('heading', { name: 'There is no such workspace' }).waitFor()
  }
  expect(faults).toEqual([])
})

test('the list tells of each channel, and a click opens its own page', async () => {
  const workspace = await workspaces.make('Listed', { layout: 'list' })
  const deploys = await workspace.addChannel('Deploys', {
    description: 'What went live',
    attributes: { team: 'platform', secret_of_us: 'hidden' },
  })
  await workspace.addChannel('Empty')
  await workspace.showAttribute('team', { show_in_sidebar: true })
  await api.push(deploys, [text('Web 4.2')])
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  const line = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  for (const words of ['What went live', 'platform', '1 card']) await line.getByText(words).waitFor()
  await expect.poll(() => page.getByText('hidden').count()).toBe(0)
  await line.getByRole('link').click()
  await page.waitForURL(`${server.url}/c/${deploys}`)
  await card(page, 'Web 4.2').waitFor()
  expect(faults).toEqual([])
})

test('search finds channels by name, description and value; arrow keys lead on; without show_search it is not there', async () => {
  const workspace = await workspaces.make('Searched', { layout: 'list' })
  await workspace.addChannel('Déploys')
  await workspace.addChannel('Invoices', { description: 'Paid and unpaid' })
  await workspace.addChannel('Sensors', { attributes: { place: 'Oslo' } })
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  const names = () => page.locator('.channel-line-name').allTextContents()
  const box = page.getByRole('searchbox', { name: 'Search channels' })
  await box.fill('deploy')
  await expect.poll(names).toEqual(['Déploys'])
  await box.fill('PAID inv')
  await expect.poll(names).toEqual(['Invoices'])
  await box.fill('oslo')
  await expect.poll(names).toEqual(['Sensors'])
  await box.fill('nothing like it')
  await page.getByText('No channel matches.').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(names).toEqual(['Déploys', 'Invoices', 'Sensors'])
  await box.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Invoices')

  await box.fill('oslo')
  await workspace.set({ show_search: false })
  await box.waitFor({ state: 'detached' })
  await expect.poll(names).toEqual(['Déploys', 'Invoices', 'Sensors'])
})

test('what was looked for is there on the way back, also where one went on at once, and goes along to the sign-in', async () => {
  const workspace = await workspaces.make('Looked for', { layout: 'list', visibility: 'public' })
  for (const name of ['One', 'Two']) await workspace.addChannel(name)
  const { page } = await visit(browser)
  await openWorkspace(page, workspace)
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('two')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/c\//)
  await page.goBack()
  await expect.poll(() => page.locator('.channel-line-name').allTextContents()).toEqual(['Two'])
  expect(new URL(page.url()).search).toBe('?q=two')
  const signIn = page.getByRole('link', { name: 'Sign in' })
  await expect
    .poll(() => signIn.getAttribute('href'))
    .toBe(`/sign-in?return=${encodeURIComponent(`/w/${workspace.slug}?q=two`)}`)
})

test('the grid shows the newest cards of each channel, live and only to look at', async () => {
  const workspace = await workspaces.make('Grid', { layout: 'grid' })
  const deploys = await workspace.addChannel('Deploys')
  await workspace.addChannel('Empty')
  for (const words of ['Oldest', 'Older', 'Newest']) await api.push(deploys, [text(words)])
  await api.push(deploys, [{ type: 'button', buttons: [{ id: 'go', label: 'Go' }] }])
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  const tile = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  await tile.locator('.card').getByText('Newest').waitFor()
  await expect.poll(() => tile.locator('.card').count()).toBe(3)
  await page.getByRole('link', { name: /Deploys/ }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Empty')
  await page.getByRole('listitem').filter({ hasText: 'Empty' }).getByText('No cards yet').waitFor()

  await api.push(deploys, [text('Pushed while one looks')])
  await tile.locator('.card').getByText('Pushed while one looks').waitFor()
  await tile.getByText('5 cards').waitFor()
  // The link lies over the preview.
  await tile.locator('.tile-cards').click({ force: true })
  await page.waitForURL(`${server.url}/c/${deploys}`)
  expect(faults).toEqual([])
})

test('only previews near the window are connected', async () => {
  const workspace = await workspaces.make('Many', { layout: 'grid' })
  const ids: string[] = []
  for (let i = 1; i <= 40; i++) ids.push(await workspace.addChannel(`Channel ${i}`))
  const { page, faults } = await signedIn()
  const open = new Set<string>()
  page.on('websocket', socket => {
    const id = ids.find(id => socket.url().endsWith(`/sync/${id}`))
    if (id === undefined) return
    open.add(id)
    socket.on('close', () => open.delete(id))
  })
  await openWorkspace(page, workspace)
  await page.getByText('No cards yet').first().waitFor()
  await expect.poll(() => open.has(ids[0] ?? '')).toBe(true)
  expect(open.size).toBeLessThan(25)
  await page.getByRole('link', { name: 'Channel 40' }).scrollIntoViewIfNeeded()
  await expect.poll(() => open.has(ids[39] ?? '')).toBe(true)
  await expect.poll(() => open.has(ids[0] ?? '')).toBe(false)
  expect(open.size).toBeLessThan(25)
  expect(faults).toEqual([])
})

test('an empty workspace tells its owner how to begin, and a channel made meanwhile appears', async () => {
  const workspace = await workspaces.make('Empty', { visibility: 'public' })
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByText(`"workspace_id": "${workspace.id}"`).waitFor()
  const visitor = await visit(browser)
  await openWorkspace(visitor.page, workspace)
  await visitor.page.getByText('Channels appear here').waitFor()

  await workspace.addChannel('The first')
  await page.getByRole('heading', { name: 'The first' }).waitFor()
  await page.getByText('No cards yet').waitFor()
  await page.getByText('curl').waitFor()
  await visitor.page.getByRole('heading', { name: 'The first' }).waitFor()
})

test('names run in the direction of their own letters, in every layout and in the dashboard', async () => {
  const workspace = await workspaces.make('מרחב')
  await workspace.addChannel('פריסות (3)')
  await workspace.addChannel('Builds (2)')
  const { page } = await signedIn()
  const directionOf = (name: string) =>
    page
      .locator('[dir=auto]:visible', { hasText: name })
      .first()
      .evaluate(element => getComputedStyle(element).direction)
  const directions = () => Promise.all(['פריסות', 'Builds'].map(directionOf))
  for (const layout of ['list', 'sidebar', 'tabs', 'grid']) {
    await workspace.set({ layout })
    await openWorkspace(page, workspace)
    await expect.poll(directions, { message: layout }).toEqual(['rtl', 'ltr'])
  }
  await page.goto(server.url)
  await expect.poll(directions).toEqual(['rtl', 'ltr'])
})
