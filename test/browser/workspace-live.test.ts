// Changes of a workspace on its open page: live, offline, after a restart, and when access is lost.
import { expect, test } from 'vitest'
import { pushMany, text } from './support/api.ts'
import { goOffline, replyBox } from './support/interactions.ts'
import { press, unlock } from './support/page.ts'
import { choose, openName, sideNames } from './support/sidebar.ts'
import { api, openAsGuest, server, session, setStage } from './support/stage.ts'
import { card, KEEPING, keptForOffline, linkStatus, scrollFeed } from './support/visit.ts'
import { makeWorkspace, openAsOwner, pushToEach } from './support/workspaces.ts'

setStage()

test('a viewer sees a new name, icon and layout, and keeps channel, scroll position and text', async () => {
  const workspace = await makeWorkspace('Before', { visibility: 'public', channels: ['One', 'Two'] })
  const [, two = ''] = workspace.ids
  await pushMany(api, two, 40)
  const { page } = await openAsGuest(`/w/${workspace.slug}?channel=${two}`, KEEPING)
  await card(page, 'Card 40').waitFor()
  await scrollFeed(page, 500)
  const scrollTop = () => page.locator('.feed-scroller').evaluate(scroller => scroller.scrollTop)
  await replyBox(page).fill('Half a')
  const before = await scrollTop()

  await workspace.set({ name: 'After', icon: '🛰️', layout: 'tabs' })
  await page.getByRole('heading', { name: 'After', level: 1 }).waitFor()
  await page.getByText('🛰️').waitFor()
  await expect.poll(() => page.title()).toContain('After')
  const tab = page.getByRole('tab', { name: 'Two' })
  await expect.poll(() => tab.getAttribute('aria-selected')).toBe('true')
  expect(Math.abs((await scrollTop()) - before)).toBeLessThan(60)
  await page.keyboard.type(' sentence')
  await expect.poll(() => replyBox(page).inputValue()).toBe('Half a sentence')

  await tab.focus()
  await workspace.set({ layout: 'sidebar' })
  await page.locator('.side-line[aria-current="page"]').filter({ hasText: 'Two' }).waitFor()
  await expect.poll(() => page.locator('.side-line:focus').count()).toBe(1)

  await workspace.set({ layout: 'list' })
  await page.locator('.list-line').first().waitFor()
  await workspace.set({ layout: 'grid' })
  await page.locator('.tile').first().waitFor()
  await workspace.set({ layout: 'sidebar' })
  await openName(page, 'Two').waitFor()
})

test('new, renamed and deleted channels and changed attributes appear live', async () => {
  const workspace = await makeWorkspace('Living')
  const one = await workspace.addChannel('One')
  const { page } = await openAsOwner(workspace, '', KEEPING)
  await expect.poll(() => sideNames(page)).toEqual(['One'])
  const two = await workspace.addChannel('Two', { attributes: { team: 'web' } })
  await expect.poll(() => sideNames(page)).toEqual(['One', 'Two'])
  await session('PATCH', `/channels/${two}`, { name: 'Zwei', icon: '🧭' })
  await expect.poll(() => sideNames(page)).toEqual(['One', 'Zwei'])
  await session('PATCH', `/channels/${one}`, { name: 'Eins' })
  await openName(page, 'Eins').waitFor()

  const line = page.locator('.side-line').filter({ hasText: 'Zwei' })
  await workspace.showAttribute('team', { use_as_filter: true, show_in_sidebar: true })
  await line.getByText('web').waitFor()
  await page.getByRole('button', { name: 'web 1' }).waitFor()
  await session('PUT', `/channels/${two}/attributes`, { team: 'data' })
  await line.getByText('data').waitFor()
  await press(page, 'data 1')
  await expect.poll(() => sideNames(page)).toEqual(['Zwei'])
  // A removed filter hides nothing.
  await workspace.showAttribute('team', { use_as_filter: false, show_in_sidebar: false })
  await expect.poll(() => sideNames(page)).toEqual(['Eins', 'Zwei'])
  await api.deleteChannel(two)
  await expect.poll(() => sideNames(page)).toEqual(['Eins'])
})

test('offline the page and the channels that were open appear as last seen', async () => {
  const workspace = await makeWorkspace('Travelling', {
    visibility: 'public',
    channels: ['One', 'Two', 'Three'],
  })
  const [one = ''] = workspace.ids
  await pushToEach(workspace, ['One', 'Two'])
  const { page } = await openAsGuest(`/w/${workspace.slug}`, KEEPING)
  await card(page, 'In one').waitFor()
  await choose(page, 'Two')
  await card(page, 'In two').waitFor()
  await keptForOffline(page)

  await goOffline(page)
  await page.reload()
  await page.getByText('You are offline').waitFor()
  await card(page, 'In two').waitFor()
  await choose(page, 'One')
  await card(page, 'In one').waitFor()
  await choose(page, 'Three')
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await expect.poll(() => page.getByText('You are offline').count()).toBe(1)

  await workspace.set({ name: 'Travelled' })
  await api.push(one, [text('Meanwhile')])
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  await page.getByRole('heading', { name: 'Travelled' }).waitFor()
  await page.locator('.side-line').filter({ hasText: 'One' }).getByText('1 unread').waitFor()
  await page.getByRole('link', { name: /One/ }).click()
  await card(page, 'Meanwhile').waitFor()
})

test('the page and its open channel reconnect to a restarted server', async () => {
  const workspace = await makeWorkspace('Restart', { channels: ['One'] })
  const { page } = await openAsOwner(workspace, '', KEEPING)
  await page.getByRole('heading', { name: 'No cards yet' }).waitFor()
  await server.kill()
  await linkStatus(page, 'reconnecting')
  await server.restart()
  await linkStatus(page, 'live')
  await workspace.addChannel('After the restart')
  await expect.poll(() => sideNames(page)).toEqual(['One', 'After the restart'])
  await api.push(workspace.ids[0] ?? '', [text('Pushed after the restart')])
  await card(page, 'Pushed after the restart').waitFor()
})

test.each([
  ['losing access', 'You don’t have access to this workspace', { visibility: 'private' }],
  ['deleting the workspace', 'Workspace not found', null],
])('%s removes the page and its local copy', async (_, heading, settings) => {
  const workspace = await makeWorkspace('Closing', { visibility: 'public' })
  const one = await workspace.addChannel('One')
  await api.push(one, [text('For all')])
  const { page } = await openAsGuest(`/w/${workspace.slug}`, KEEPING)
  await card(page, 'For all').waitFor()
  await keptForOffline(page)
  await (settings ? workspace.set(settings) : workspace.remove())
  await page.getByRole('heading', { name: heading }).waitFor()
  for (const words of ['One', 'For all']) await expect.poll(() => page.getByText(words).count()).toBe(0)

  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
  await page.goto(`${server.url}/c/${one}`)
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('the page asks for a changed password, which opens it', async () => {
  const workspace = await makeWorkspace('Locked', { channels: ['One'] })
  await workspace.set({ visibility: 'protected', password: 'the first password' })
  const { page } = await openAsGuest(`/w/${workspace.slug}`, KEEPING)
  await unlock(page, 'the first password')
  await openName(page, 'One').waitFor()
  await linkStatus(page, 'live')
  await workspace.set({ password: 'the second password' })
  await page.getByRole('heading', { name: 'This workspace needs a password' }).waitFor()
  await unlock(page, 'the second password')
  await openName(page, 'One').waitFor()
  await linkStatus(page, 'live')
})
