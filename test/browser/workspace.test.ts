// /w/{slug}: access to a workspace's page, and its list and grid layouts.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { press, unlock } from './support/page.ts'
import { watchSockets } from './support/sidebar.ts'
import { api, openAsGuest, server, setStage, signedIn } from './support/stage.ts'
import { card, PHONE, signIn } from './support/visit.ts'
import { makeWorkspace, openAsOwner, openWorkspace } from './support/workspaces.ts'

setStage()

test('a private workspace asks to sign in; its owner sees the channels and the settings link', async () => {
  const workspace = await makeWorkspace('Private', { channels: ['Invoices'] })
  const { page } = await openAsGuest(`/w/${workspace.slug}`)
  await page.getByRole('heading', { name: 'This workspace is private' }).waitFor()
  await signIn(page, server.url, server.owner)
  await page.reload()
  await page.getByRole('heading', { name: 'Private' }).waitFor()
  await page.locator('.side-line', { hasText: 'Invoices' }).waitFor()
  await page.getByRole('link', { name: 'Workspace settings' }).click()
  await page.waitForURL(`${server.url}/dashboard/workspaces/${workspace.id}`)
})

test('on a page that reads from right to left, the button that leads back points to the right', async () => {
  const workspace = await makeWorkspace('Turned around', { channels: ['One'] })
  const { page } = await openAsOwner(workspace, `?channel=${workspace.ids[0]}`, PHONE)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const arrow = page.getByRole('button', { name: 'Back to Turned around' }).locator('svg')
  await expect.poll(() => arrow.evaluate(icon => getComputedStyle(icon).scale)).toBe('-1 1')
})

test('a protected workspace opens with its password by either slug; an unknown slug is not found', async () => {
  const workspace = await makeWorkspace('Shared', { channels: ['Invoices'] })
  await workspace.set({ visibility: 'protected', password: 'open sesame', custom_slug: 'shared-feeds' })
  const { page } = await openAsGuest('/w/by-slug/shared-feeds')
  await unlock(page, 'not this one')
  await page.getByRole('alert').getByText('That password isn’t right').waitFor()
  await unlock(page, 'open sesame')
  await page.locator('.side-line', { hasText: 'Invoices' }).waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Workspace settings' }).count()).toBe(0)
  await openWorkspace(page, workspace)
  // Even if an address isn't UTF-8 or holds no slug.
  for (const slug of ['nowhere', '%E0%A4%A', 'by-slug/%C3%9Cber', 'a%2Fb', '%00']) {
    await page.goto(`${server.url}/w/${slug}`)
    await page.getByRole('heading', { name: 'Workspace not found' }).waitFor()
  }
})

test('the list describes each channel, and a click opens its own page', async () => {
  const workspace = await makeWorkspace('Listed', { layout: 'list' })
  const deploys = await workspace.addChannel('Deploys', {
    description: 'What went live',
    attributes: { team: 'platform', secret_of_us: 'hidden' },
  })
  await workspace.addChannel('Empty')
  await workspace.showAttribute('team', { show_in_sidebar: true })
  await api.push(deploys, [text('Web 4.2')])
  const { page } = await openAsOwner(workspace)
  const line = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  for (const words of ['What went live', 'platform', '1 card']) await line.getByText(words).waitFor()
  await expect.poll(() => page.getByText('hidden').count()).toBe(0)
  // On a phone, the menu of a channel has the theme. Here is no channel.
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: /^Theme/ }).waitFor()
  await line.getByRole('link').click()
  await page.waitForURL(`${server.url}/c/${deploys}`)
  await card(page, 'Web 4.2').waitFor()
})

test('search finds channels, also by value, and show_search removes it', async () => {
  const workspace = await makeWorkspace('Searched', { layout: 'list', channels: ['Deploys', 'Invoices'] })
  await workspace.addChannel('Sensors', { attributes: { place: 'Oslo' } })
  const { page } = await openAsOwner(workspace)
  const names = () => page.locator('.channel-row-name').allTextContents()
  const box = page.getByRole('searchbox', { name: 'Search channels' })
  await box.fill('oslo')
  await expect.poll(names).toEqual(['Sensors'])
  await box.fill('nothing like it')
  await page.getByText('No channel matches.').waitFor()
  await press(page, 'Clear')
  await expect.poll(names).toEqual(['Deploys', 'Invoices', 'Sensors'])
  await box.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Invoices')

  await box.fill('oslo')
  await workspace.set({ show_search: false })
  await box.waitFor({ state: 'detached' })
  await expect.poll(names).toEqual(['Deploys', 'Invoices', 'Sensors'])
})

test('filters survive going back, even right after typing, and signing in', async () => {
  const settings = { layout: 'list', visibility: 'public', channels: ['One', 'Two'] }
  const workspace = await makeWorkspace('Looked for', settings)
  const { page } = await openAsGuest(`/w/${workspace.slug}`)
  await page.getByRole('searchbox').focus()
  await page.keyboard.type('two')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/c\//)
  await page.goBack()
  await expect.poll(() => page.locator('.channel-row-name').allTextContents()).toEqual(['Two'])
  expect(new URL(page.url()).search).toBe('?q=two')
  const signIn = page.getByRole('link', { name: 'Sign in' })
  await expect
    .poll(() => signIn.getAttribute('href'))
    .toBe(`/sign-in?return=${encodeURIComponent(`/w/${workspace.slug}?q=two`)}`)
})

test('the grid shows the newest cards of each channel, live and inert', async () => {
  const workspace = await makeWorkspace('Grid', { layout: 'grid' })
  const deploys = await workspace.addChannel('Deploys')
  await workspace.addChannel('Empty')
  for (const words of ['Oldest', 'Older', 'Newest']) await api.push(deploys, [text(words)])
  await api.push(deploys, [{ type: 'button', buttons: [{ id: 'go', label: 'Go' }] }])
  const { page } = await openAsOwner(workspace)
  const tile = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  await tile.locator('.card').getByText('Newest').waitFor()
  await expect.poll(() => tile.locator('.card').count()).toBe(3)
  await page.getByRole('link', { name: /Deploys/ }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Empty')
  await page.getByRole('listitem').filter({ hasText: 'Empty' }).getByText('No cards yet').waitFor()

  await api.push(deploys, [text('Pushed meanwhile')])
  await tile.locator('.card').getByText('Pushed meanwhile').waitFor()
  await tile.getByText('5 cards').waitFor()
  // The link covers the preview.
  await tile.locator('.tile-cards').click({ force: true })
  await page.waitForURL(`${server.url}/c/${deploys}`)
})

test('only previews near the window have a connection', async () => {
  const channels = Array.from({ length: 40 }, (_, i) => `Channel ${i + 1}`)
  const workspace = await makeWorkspace('Many', { layout: 'grid', channels })
  const { page } = await signedIn()
  const open = watchSockets(page, '/sync/')
  const isOpen = (nth: number) => [...open].some(url => url.endsWith(workspace.ids[nth] ?? '?'))
  await openWorkspace(page, workspace)
  await page.getByText('No cards yet').first().waitFor()
  await expect.poll(() => isOpen(0)).toBe(true)
  expect(open.size).toBeLessThan(25)
  await page.getByRole('link', { name: 'Channel 40' }).scrollIntoViewIfNeeded()
  await expect.poll(() => isOpen(39)).toBe(true)
  await expect.poll(() => isOpen(0)).toBe(false)
  expect(open.size).toBeLessThan(25)
})

test('an empty workspace tells its owner how to start, and a new channel appears', async () => {
  const workspace = await makeWorkspace('Empty', { visibility: 'public' })
  const { page } = await openAsOwner(workspace)
  await page.getByRole('link', { name: 'New channel' }).waitFor()
  const { page: visitor } = await openAsGuest(`/w/${workspace.slug}`)
  await visitor.getByText('Channels appear here').waitFor()

  await workspace.addChannel('The first')
  await page.getByRole('heading', { name: 'The first' }).waitFor()
  await page.getByRole('heading', { name: 'No cards yet' }).waitFor()
  await page.getByText('curl http').waitFor()
  await visitor.getByRole('heading', { name: 'The first' }).waitFor()
})

test('names have the direction of their script in every layout and in the dashboard', async () => {
  const workspace = await makeWorkspace('מרחב', { channels: ['פריסות (3)', 'Builds (2)'] })
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
