// The sidebar and the tabs: a workspace's channels, and the live feed of the open one.
import { expect, test } from 'vitest'
import { buttons, input, text } from './support/api.ts'
import { reply, replyBox } from './support/interactions.ts'
import { press } from './support/page.ts'
import { channelLink, choose, isInside, openName, sideNames, watchSockets } from './support/sidebar.ts'
import { api, hooks, server, session, setStage, signedIn } from './support/stage.ts'
import { card, interactionStatus, PHONE } from './support/visit.ts'
import { makeWorkspace, openAsOwner, openWorkspace, pushToEach } from './support/workspaces.ts'

setStage()

test('the open channel is in the address: Back, Forward, a reload and a link open it', async () => {
  const workspace = await makeWorkspace('Chosen', { channels: ['One', 'Two'] })
  const [, two] = workspace.ids
  await pushToEach(workspace, ['One', 'Two'])
  const { page } = await openAsOwner(workspace)
  await card(page, 'In one').waitFor()
  await choose(page, 'Two')
  await page.waitForURL(`${workspace.url}?channel=${two}`)
  await card(page, 'In two').waitFor()
  await expect.poll(() => card(page, 'In one').count()).toBe(0)
  await expect.poll(() => page.locator('.side-line[aria-current="page"]').textContent()).toContain('Two')
  await page.reload()
  await card(page, 'In two').waitFor()
  await page.goBack()
  await card(page, 'In one').waitFor()
  await page.goForward()
  await card(page, 'In two').waitFor()
})

test('the first channel replaces a missing one, with a message', async () => {
  const workspace = await makeWorkspace('Gone', { channels: ['One', 'Two'] })
  const [one = '', two = ''] = workspace.ids
  const { page } = await openAsOwner(workspace, '?channel=nowhere')
  await openName(page, 'One').waitFor()
  await page.getByText('That channel isn’t in this workspace. This is “One”.').waitFor()
  await choose(page, 'Two')
  await page.getByText('That channel isn’t in this workspace').waitFor({ state: 'detached' })
  await openName(page, 'Two').waitFor()

  await api.deleteChannel(two)
  await page.getByText('“Two” is no longer in this workspace. This is “One”.').waitFor()
  await openName(page, 'One').waitFor()
  await expect.poll(() => sideNames(page)).toEqual(['One'])
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await api.push(one, [text('Still live')])
  await card(page, 'Still live').waitFor()
})

test('the message disappears when the channel appears, and names the open one', async () => {
  const workspace = await makeWorkspace('Comes later')
  const one = await workspace.addChannel('One')
  const { page } = await openAsOwner(workspace)
  await openName(page, 'One').waitFor()
  await page.goto(server.url)
  // The local copy doesn't have it yet.
  const [two, three] = [await workspace.addChannel('Two'), await workspace.addChannel('Three')]
  await openWorkspace(page, workspace, `?channel=${two}`)
  await openName(page, 'Two').waitFor()
  await page.locator('.channel-message').waitFor({ state: 'detached' })

  await api.deleteChannel(two)
  await page.getByText('“Two” is no longer in this workspace. This is “One”.').waitFor()
  await session('PATCH', `/channels/${one}`, { name: 'Eins' })
  await page.getByText('This is “Eins”.').waitFor()
  await api.deleteChannel(one)
  await page.getByText('This is “Three”.').waitFor()
  await api.deleteChannel(three)
})

test('actions, fields and replies work beside the list', async () => {
  const workspace = await makeWorkspace('Acting')
  const id = await workspace.addChannel('Deploys', hooks.at('/acting'))
  await api.addAction(id, 'Freeze', 'primary', 0)
  await api.push(id, [input('ticket', 'Ticket'), buttons('Approve')])
  const { page } = await openAsOwner(workspace)
  await press(page, 'Freeze')
  await page.getByRole('textbox', { name: 'Ticket' }).fill('CHG-7')
  await press(page, 'Approve')
  await reply(page, 'Done')
  await hooks.hooks('/acting', 3)
  await interactionStatus(page, 'delivered').first().waitFor()
  expect(hooks.came('/acting')).toMatchObject([
    { card_id: null, trigger: { type: 'header_action', label: 'Freeze' } },
    { trigger: { type: 'button_click' } },
    { trigger: { type: 'reply' } },
  ])
})

test('opening another channel leaves one connection and one feed', async () => {
  const workspace = await makeWorkspace('One at a time', { channels: ['One', 'Two', 'Three'] })
  await pushToEach(workspace, ['One', 'Two', 'Three'])
  const { page } = await signedIn()
  const open = watchSockets(page, '/sync/')
  await openWorkspace(page, workspace)
  for (const name of ['Two', 'Three', 'One']) {
    await choose(page, name)
    await card(page, `In ${name.toLowerCase()}`).waitFor()
  }
  await expect.poll(() => open.size).toBe(1)
  await expect.poll(() => page.getByRole('feed').count()).toBe(1)
})

test('a draft stays with its channel while another is open', async () => {
  const workspace = await makeWorkspace('Drafts', { channels: ['One', 'Two'] })
  const { page } = await openAsOwner(workspace)
  await replyBox(page).fill('Half a sentence')
  await choose(page, 'Two')
  await openName(page, 'Two').waitFor()
  await expect.poll(() => replyBox(page).inputValue()).toBe('')
  await choose(page, 'One')
  await expect.poll(() => replyBox(page).inputValue()).toBe('Half a sentence')
})

test('arrow keys move in the list, Enter opens, and Tab leaves it', async () => {
  const workspace = await makeWorkspace('Keys', { channels: ['One', 'Two', 'Three'] })
  const { page } = await openAsOwner(workspace)
  await page.getByRole('searchbox').press('ArrowDown')
  const focused = () => page.locator(':focus').textContent()
  await expect.poll(focused).toContain('One')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toContain('Three')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await openName(page, 'Two').waitFor()
  // The focus stays, so that the next arrow continues from here.
  await expect.poll(focused).toContain('Two')
  await page.keyboard.press('End')
  await expect.poll(focused).toContain('Three')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator('.side-line:focus').count()).toBe(0)
})

test('each channel has a tab; clicks and arrow keys select it and scroll it into view', async () => {
  const channels = Array.from({ length: 20 }, (_, i) => `Channel ${i + 1}`)
  const workspace = await makeWorkspace('Tabs', { layout: 'tabs', channels })
  await api.push(workspace.ids[1] ?? '', [text('In two')])
  const { page } = await openAsOwner(workspace)
  const tab = (name: string) => page.getByRole('tab', { name, exact: true })
  await expect.poll(() => tab('Channel 1').getAttribute('aria-selected')).toBe('true')
  await tab('Channel 1').focus()
  await page.keyboard.press('ArrowRight')
  await card(page, 'In two').waitFor()
  await expect.poll(() => tab('Channel 2').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => page.locator(':focus').textContent()).toContain('Channel 2')
  await page.getByRole('tabpanel', { name: 'Channel 2' }).getByText('In two').waitFor()
  await page.keyboard.press('End')
  await expect.poll(() => tab('Channel 20').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => isInside(tab('Channel 20'), page.getByRole('tablist'))).toBe(true)
  await page.goto(`${workspace.url}?channel=${workspace.ids[11]}`)
  await expect.poll(() => tab('Channel 12').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => isInside(tab('Channel 12'), page.getByRole('tablist'))).toBe(true)
})

test('tabs that don’t fit fade at an end, and a menu lists all channels', async () => {
  const channels = Array.from({ length: 20 }, (_, i) => `Channel ${i + 1}`)
  const workspace = await makeWorkspace('Many tabs', { layout: 'tabs', channels })
  const { page } = await openAsOwner(workspace)
  await page.locator('.tab-bar.tabs-after:not(.tabs-before)').waitFor()
  await page.getByRole('button', { name: 'All channels' }).click()
  const list = page.getByRole('list', { name: 'All channels' })
  await expect.poll(() => list.getByRole('listitem').count()).toBe(20)
  await list.getByRole('button', { name: 'Channel 20' }).click()
  await page.getByRole('tab', { name: 'Channel 20', selected: true }).waitFor()
  await page.locator('.tab-bar.tabs-before:not(.tabs-after)').waitFor()

  const two = await makeWorkspace('Two tabs', { layout: 'tabs', channels: ['One', 'Two'] })
  await page.goto(two.url)
  await page.getByRole('tab', { name: 'One' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'All channels' }).count()).toBe(0)
})

test('on a phone a channel covers the list, with a button back', async () => {
  const workspace = await makeWorkspace('Phone', { channels: ['One', 'Two'] })
  const [one = ''] = workspace.ids
  await api.push(one, [text('In one')])
  const { page } = await openAsOwner(workspace, '', PHONE)
  await page.getByRole('main').and(page.locator('section')).waitFor()
  await channelLink(page, 'Two').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)

  await channelLink(page, 'One').tap()
  await page.getByRole('heading', { name: 'One', level: 1 }).waitFor()
  await card(page, 'In one').waitFor()
  await expect.poll(() => channelLink(page, 'Two').count()).toBe(0)
  await page.getByRole('button', { name: 'Back to Phone' }).tap()
  await page.getByRole('heading', { name: 'Phone', level: 1 }).waitFor()
  expect(page.url()).toBe(workspace.url)
  await page.goForward()
  await card(page, 'In one').waitFor()

  // After opening a link, back goes to the list and stays on the page.
  await page.goto(`${workspace.url}?channel=${one}`)
  await card(page, 'In one').waitFor()
  await page.getByRole('button', { name: 'Back to Phone' }).tap()
  await channelLink(page, 'Two').waitFor()

  await workspace.set({ layout: 'tabs' })
  await page.getByRole('tab', { name: 'One' }).waitFor()
  await workspace.set({ layout: 'grid' })
  await page.locator('.tile').first().waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(wide).toBe(false)
})
