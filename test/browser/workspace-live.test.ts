// Changes of a workspace on its open page: live, offline, after a restart, and when access is lost.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pushMany, text } from './support/api.ts'
import { card, keptForOffline, linkStatus, scrollFeed, visitKeeping } from './support/visit.ts'
import {
  openName,
  openWorkspace,
  sideNames,
  startWorkspaces,
  type WorkspaceScene,
} from './support/workspaces.ts'

let scene: WorkspaceScene

beforeAll(async () => {
  scene = await startWorkspaces()
})

afterAll(() => scene?.stop())

/** The service worker keeps the app for offline use. */
const KEEPING = { serviceWorkers: 'allow' as const }

test('a viewer sees a new name, icon and layout, and keeps channel, scroll position and text', async () => {
  const workspace = await scene.workspaces.make('Before', { visibility: 'public' })
  await workspace.addChannel('One')
  const two = await workspace.addChannel('Two')
  await pushMany(scene.api, two, 40)
  const { page, faults } = await visitKeeping(scene.browser)
  await openWorkspace(page, workspace, `?channel=${two}`)
  await card(page, 'Card 40').waitFor()
  await scrollFeed(page, 900)
  const scrollTop = () => page.locator('.feed-scroller').evaluate(scroller => scroller.scrollTop)
  await page.getByRole('textbox', { name: 'Reply' }).fill('Half a')
  const before = await scrollTop()

  await workspace.set({ name: 'After', icon: '🛰️', layout: 'tabs' })
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
  await page.getByText('🛰️').waitFor()
  await expect.poll(() => page.title()).toContain('After')
  const tab = page.getByRole('tab', { name: 'Two' })
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
  expect(Math.abs((await scrollTop()) - before)).toBeLessThan(60)
  await page.keyboard.type(' sentence')
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Half a sentence')

  await tab.focus()
  await workspace.set({ layout: 'sidebar' })
  await page.locator('.side-line[aria-current="page"]').filter({ hasText: 'Two' }).waitFor()
  await expect.poll(() => page.locator('.side-line:focus').count()).toBe(1)

  await workspace.set({ layout: 'list' })
  await page.locator('.channel-line').first().waitFor()
  await workspace.set({ layout: 'grid' })
  await page.locator('.tile').first().waitFor()
  await workspace.set({ layout: 'sidebar' })
  await openName(page, 'Two').waitFor()
  expect(faults).toEqual([])
})

test('new, renamed and deleted channels and changed attributes appear live', async () => {
  const workspace = await scene.workspaces.make('Living')
  const one = await workspace.addChannel('One')
  const { page, faults } = await scene.open(workspace, '', KEEPING)
  await expect.poll(() => sideNames(page)).toEqual(['One'])
  const two = await workspace.addChannel('Two', { attributes: { team: 'web' } })
  await expect.poll(() => sideNames(page)).toEqual(['One', 'Two'])
  await scene.workspaces.session('PATCH', `/channels/${two}`, { name: 'Zwei', icon: '🧭' })
  await expect.poll(() => sideNames(page)).toEqual(['One', 'Zwei'])
  await scene.workspaces.session('PATCH', `/channels/${one}`, { name: 'Eins' })
  await openName(page, 'Eins').waitFor()

  const line = page.locator('.side-line').filter({ hasText: 'Zwei' })
  await workspace.showAttribute('team', { use_as_filter: true, show_in_sidebar: true })
  await line.getByText('web').waitFor()
  await page.getByRole('button', { name: 'web 1' }).waitFor()
  await scene.workspaces.session('PUT', `/channels/${two}/attributes`, { team: 'data' })
  await line.getByText('data').waitFor()
  await page.getByRole('button', { name: 'data 1' }).click()
  await expect.poll(() => sideNames(page)).toEqual(['Zwei'])
  // A removed filter hides nothing.
  await workspace.showAttribute('team', { use_as_filter: false, show_in_sidebar: false })
  await expect.poll(() => sideNames(page)).toEqual(['Eins', 'Zwei'])
  await scene.api.deleteChannel(two)
  await expect.poll(() => sideNames(page)).toEqual(['Eins'])
  expect(faults).toEqual([])
})

test('offline the page and the channels that were open appear as last seen', async () => {
  const workspace = await scene.workspaces.make('Travelling', { visibility: 'public' })
  const [one, two] = [await workspace.addChannel('One'), await workspace.addChannel('Two')]
  await workspace.addChannel('Three')
  await scene.api.push(one, [text('In one')])
  await scene.api.push(two, [text('In two')])
  const { page, faults } = await visitKeeping(scene.browser)
  await openWorkspace(page, workspace)
  await card(page, 'In one').waitFor()
  await page.getByRole('link', { name: 'Two', exact: true }).click()
  await card(page, 'In two').waitFor()
  await keptForOffline(page)

  await page.context().setOffline(true)
  await linkStatus(page, 'offline')
  await page.reload()
  await page.getByText('You are offline').waitFor()
  await card(page, 'In two').waitFor()
  await page.getByRole('link', { name: 'One', exact: true }).click()
  await card(page, 'In one').waitFor()
  await page.getByRole('link', { name: 'Three', exact: true }).click()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await expect.poll(() => page.getByText('You are offline').count()).toBe(1)

  await workspace.set({ name: 'Travelled' })
  await scene.api.push(one, [text('Meanwhile')])
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  await page.getByRole('heading', { name: 'Travelled' }).waitFor()
  await page.locator('.side-line').filter({ hasText: 'One' }).getByText('1 unread').waitFor()
  await page.getByRole('link', { name: /One/ }).click()
  await card(page, 'Meanwhile').waitFor()
  expect(faults).toEqual([])
})

test('a page that was never opened has nothing to show offline', async () => {
  const workspace = await scene.workspaces.make('Never seen')
  const { page } = await visitKeeping(scene.browser)
  await page.goto(scene.server.url)
  await keptForOffline(page)
  await page.context().setOffline(true)
  await page.goto(workspace.url)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('the page reconnects to a restarted server', async () => {
  const workspace = await scene.workspaces.make('Restart')
  await workspace.addChannel('One')
  const { page } = await scene.open(workspace, '', KEEPING)
  await page.getByText('No cards yet').waitFor()
  await scene.server.kill()
  await linkStatus(page, 'reconnecting')
  await scene.server.restart()
  await linkStatus(page, 'live')
  await workspace.addChannel('After the restart')
  await expect.poll(() => sideNames(page)).toEqual(['One', 'After the restart'])
})

test('losing access removes the page and its local copy', async () => {
  const workspace = await scene.workspaces.make('Closing', { visibility: 'public' })
  const one = await workspace.addChannel('One')
  await scene.api.push(one, [text('For all')])
  const { page, faults } = await visitKeeping(scene.browser)
  await openWorkspace(page, workspace)
  await card(page, 'For all').waitFor()
  await keptForOffline(page)
  await workspace.set({ visibility: 'private' })
  await page.getByRole('heading', { name: 'You do not have access to this workspace' }).waitFor()
  await expect.poll(() => page.getByText('One').count()).toBe(0)

  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await page.goto(`${scene.server.url}/c/${one}`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  expect(faults).toEqual([])
})

test('a changed password is asked for and opens the page', async () => {
  const workspace = await scene.workspaces.make('Locked')
  await workspace.addChannel('One')
  await workspace.set({ visibility: 'protected', password: 'the first password' })
  const { page } = await visitKeeping(scene.browser)
  await page.goto(workspace.url)
  await page.getByLabel('Password').fill('the first password')
  await page.getByRole('button', { name: 'Open' }).click()
  await openName(page, 'One').waitFor()
  await linkStatus(page, 'live')
  await workspace.set({ password: 'the second password' })
  await page.getByRole('heading', { name: 'This workspace asks for a password' }).waitFor()
  await page.getByLabel('Password').fill('the second password')
  await page.getByRole('button', { name: 'Open' }).click()
  await openName(page, 'One').waitFor()
  await linkStatus(page, 'live')
})

test('a deleted workspace is gone, even from this device', async () => {
  const workspace = await scene.workspaces.make('Doomed')
  const one = await workspace.addChannel('One')
  await scene.api.push(one, [text('Kept here')])
  const { page } = await scene.open(workspace, '', KEEPING)
  await card(page, 'Kept here').waitFor()
  await keptForOffline(page)
  await workspace.remove()
  await page.getByRole('heading', { name: 'There is no such workspace' }).waitFor()
  await page.context().setOffline(true)
  await page.goto(`${scene.server.url}/c/${one}`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})
