// /w/{slug}: access to a workspace's page, and its list and grid layouts.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { text } from './support/api.ts'
import { card, signIn, visit } from './support/visit.ts'
import { openWorkspace, startWorkspaces, type WorkspaceScene } from './support/workspaces.ts'

let scene: WorkspaceScene

beforeAll(async () => {
  scene = await startWorkspaces()
})

afterAll(() => scene?.stop())

test('a private workspace asks to sign in; its owner sees the channels and the settings link', async () => {
  const workspace = await scene.workspaces.make('Private')
  await workspace.addChannel('Invoices')
  const { page, faults } = await visit(scene.browser)
  await page.goto(workspace.url)
  await page.getByRole('heading', { name: 'This workspace is private' }).waitFor()
  await signIn(page, scene.server)
  await page.reload()
  await page.getByRole('heading', { name: 'Private' }).waitFor()
  await page
    .getByRole('link', { name: /Invoices/ })
    .first()
    .waitFor()
  await page.getByRole('link', { name: 'Workspace settings' }).click()
  await page.waitForURL(`${scene.server.url}/dashboard/workspaces/${workspace.id}`)
  expect(faults).toEqual([])
})

test('a protected workspace opens with its password by either slug; an unknown slug is not found', async () => {
  const workspace = await scene.workspaces.make('Shared')
  await workspace.addChannel('Invoices')
  await workspace.set({ visibility: 'protected', password: 'open sesame', custom_slug: 'shared-feeds' })
  const { page, faults } = await visit(scene.browser)
  await page.goto(`${scene.server.url}/w/by-slug/shared-feeds`)
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
  // Even if an address isn't UTF-8 or holds no slug.
  for (const slug of ['nowhere', '%E0%A4%A', 'by-slug/%C3%9Cber', 'a%2Fb', '%00']) {
    await page.goto(`${scene.server.url}/w/${slug}`)
    await page.getByRole('heading', { name: 'There is no such workspace' }).waitFor()
  }
  expect(faults).toEqual([])
})

test('the list describes each channel, and a click opens its own page', async () => {
  const workspace = await scene.workspaces.make('Listed', { layout: 'list' })
  const deploys = await workspace.addChannel('Deploys', {
    description: 'What went live',
    attributes: { team: 'platform', secret_of_us: 'hidden' },
  })
  await workspace.addChannel('Empty')
  await workspace.showAttribute('team', { show_in_sidebar: true })
  await scene.api.push(deploys, [text('Web 4.2')])
  const { page, faults } = await scene.open(workspace)
  const line = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  for (const words of ['What went live', 'platform', '1 card']) await line.getByText(words).waitFor()
  await expect.poll(() => page.getByText('hidden').count()).toBe(0)
  await line.getByRole('link').click()
  await page.waitForURL(`${scene.server.url}/c/${deploys}`)
  await card(page, 'Web 4.2').waitFor()
  expect(faults).toEqual([])
})

test('search finds channels by name, description and value, and show_search removes it', async () => {
  const workspace = await scene.workspaces.make('Searched', { layout: 'list' })
  await workspace.addChannel('Déploys')
  await workspace.addChannel('Invoices', { description: 'Paid and unpaid' })
  await workspace.addChannel('Sensors', { attributes: { place: 'Oslo' } })
  const { page } = await scene.open(workspace)
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

test('filters survive going back, even right after typing, and signing in', async () => {
  const workspace = await scene.workspaces.make('Looked for', { layout: 'list', visibility: 'public' })
  for (const name of ['One', 'Two']) await workspace.addChannel(name)
  const { page } = await visit(scene.browser)
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

test('the grid shows the newest cards of each channel, live and inert', async () => {
  const workspace = await scene.workspaces.make('Grid', { layout: 'grid' })
  const deploys = await workspace.addChannel('Deploys')
  await workspace.addChannel('Empty')
  for (const words of ['Oldest', 'Older', 'Newest']) await scene.api.push(deploys, [text(words)])
  await scene.api.push(deploys, [{ type: 'button', buttons: [{ id: 'go', label: 'Go' }] }])
  const { page, faults } = await scene.open(workspace)
  const tile = page.getByRole('listitem').filter({ hasText: 'Deploys' })
  await tile.locator('.card').getByText('Newest').waitFor()
  await expect.poll(() => tile.locator('.card').count()).toBe(3)
  await page.getByRole('link', { name: /Deploys/ }).focus()
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Empty')
  await page.getByRole('listitem').filter({ hasText: 'Empty' }).getByText('No cards yet').waitFor()

  await scene.api.push(deploys, [text('Pushed meanwhile')])
  await tile.locator('.card').getByText('Pushed meanwhile').waitFor()
  await tile.getByText('5 cards').waitFor()
  // The link covers the preview.
  await tile.locator('.tile-cards').click({ force: true })
  await page.waitForURL(`${scene.server.url}/c/${deploys}`)
  expect(faults).toEqual([])
})

test('only previews near the window have a connection', async () => {
  const workspace = await scene.workspaces.make('Many', { layout: 'grid' })
  const ids: string[] = []
  for (let i = 1; i <= 40; i++) ids.push(await workspace.addChannel(`Channel ${i}`))
  const { page, faults } = await scene.signedIn()
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

test('an empty workspace tells its owner how to start, and a new channel appears', async () => {
  const workspace = await scene.workspaces.make('Empty', { visibility: 'public' })
  const { page } = await scene.open(workspace)
  await page.getByText(`"workspace_id": "${workspace.id}"`).waitFor()
  const visitor = await visit(scene.browser)
  await openWorkspace(visitor.page, workspace)
  await visitor.page.getByText('Channels appear here').waitFor()

  await workspace.addChannel('The first')
  await page.getByRole('heading', { name: 'The first' }).waitFor()
  await page.getByText('No cards yet').waitFor()
  await page.getByText('curl').waitFor()
  await visitor.page.getByRole('heading', { name: 'The first' }).waitFor()
})

test('names have the direction of their script in every layout and in the dashboard', async () => {
  const workspace = await scene.workspaces.make('מרחב')
  await workspace.addChannel('פריסות (3)')
  await workspace.addChannel('Builds (2)')
  const { page } = await scene.signedIn()
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
  await page.goto(scene.server.url)
  await expect.poll(directions).toEqual(['rtl', 'ltr'])
})
