// The sidebar and the tabs: a workspace's channels, and the open one's live feed.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, pushMany, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { startHooks } from './support/hooks.ts'
import { actSign, card, signIn, visit } from './support/visit.ts'
import { makeWorkspaces, openName, openWorkspace, sideNames } from './support/workspaces.ts'

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

async function signedIn(options = {}) {
  const opened = await visit(browser, options)
  await signIn(opened.page, server)
  return opened
}

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

test('the choice is in the address: back, forward, a reload and a link lead to it', async () => {
  const workspace = await workspaces.make('Chosen')
  const [one, two] = [await workspace.addChannel('One'), await workspace.addChannel('Two')]
  await api.push(one, [text('In one')])
  await api.push(two, [text('In two')])
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  await card(page, 'In one').waitFor()
  await page.getByRole('link', { name: 'Two', exact: true }).click()
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
  expect(faults).toEqual([])
})

test('one that is not there gives way to the first, with a word', async () => {
  const workspace = await workspaces.make('Gone')
  const [one, two] = [await workspace.addChannel('One'), await workspace.addChannel('Two')]
  const { page } = await signedIn()
  await openWorkspace(page, workspace, '?channel=nowhere')
  await openName(page, 'One').waitFor()
  await page.getByText('That channel is not here. This is “One”.').waitFor()
  await page.getByRole('link', { name: 'Two', exact: true }).click()
  await page.getByText('That channel is not here').waitFor({ state: 'detached' })
  await openName(page, 'Two').waitFor()

  await api.deleteChannel(two)
  await page.getByText('“Two” is not here any more. This is “One”.').waitFor()
  await openName(page, 'One').waitFor()
  await expect.poll(() => sideNames(page)).toEqual(['One'])
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await api.push(one, [text('Still live')])
  await card(page, 'Still live').waitFor()
})

test('the word on one that is not there goes when it comes, and names the one that is open', async () => {
  const workspace = await workspaces.make('Comes later')
  const one = await workspace.addChannel('One')
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await openName(page, 'One').waitFor()
  await page.goto(server.url)
  // The copy that is kept here has not heard of it.
  const [two, three] = [await workspace.addChannel('Two'), await workspace.addChannel('Three')]
  await openWorkspace(page, workspace, `?channel=${two}`)
  await openName(page, 'Two').waitFor()
  await page.locator('.word').waitFor({ state: 'detached' })

  await api.deleteChannel(two)
  await page.getByText('“Two” is not here any more. This is “One”.').waitFor()
  await workspaces.session('PATCH', `/channels/${one}`, { name: 'Eins' })
  await page.getByText('This is “Eins”.').waitFor()
  await api.deleteChannel(one)
  await page.getByText('This is “Three”.').waitFor()
  await api.deleteChannel(three)
})

test('everything of a channel works beside the list: actions, fields, replies', async () => {
  const hooks = await startHooks()
  const workspace = await workspaces.make('Acting')
  const id = await workspace.addChannel('Deploys', hooks.at('/acting'))
  await api.addAction(id, 'Freeze', 'primary', 0)
  await api.push(id, [
    { type: 'input', id: 'ticket', label: 'Ticket' },
    { type: 'button', buttons: [{ id: 'approve', label: 'Approve' }] },
  ])
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByRole('button', { name: 'Freeze' }).click()
  await page.getByLabel('Ticket').fill('CHG-7')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByRole('textbox', { name: 'Reply' }).fill('Done')
  await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
  await hooks.hooks('/acting', 3)
  await actSign(page, 'delivered').first().waitFor()
  const types = hooks.came('/acting').map(({ trigger }) => trigger.type)
  expect(types).toEqual(['header_action', 'button_click', 'reply'])
  await hooks.stop()
  expect(faults).toEqual([])
})

test('nothing of a channel is kept once another is open: one connection, one feed', async () => {
  const workspace = await workspaces.make('One at a time')
  for (const name of ['One', 'Two', 'Three'])
    await api.push(await workspace.addChannel(name), [text(`In ${name.toLowerCase()}`)])
  const { page } = await signedIn()
  const open = new Set<string>()
  page.on('websocket', socket => {
    if (!socket.url().includes('/sync/')) return
    open.add(socket.url())
    socket.on('close', () => open.delete(socket.url()))
  })
  await openWorkspace(page, workspace)
  for (const name of ['Two', 'Three', 'One']) {
    await page.getByRole('link', { name, exact: true }).click()
    await card(page, `In ${name.toLowerCase()}`).waitFor()
  }
  await expect.poll(() => open.size).toBe(1)
  await expect.poll(() => page.getByRole('feed').count()).toBe(1)
})

test('a draft stays with its channel while one looks at another', async () => {
  const workspace = await workspaces.make('Drafts')
  await workspace.addChannel('One')
  await workspace.addChannel('Two')
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByRole('textbox', { name: 'Reply' }).fill('Half a sentence')
  await page.getByRole('link', { name: 'Two', exact: true }).click()
  await openName(page, 'Two').waitFor()
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('')
  await page.getByRole('link', { name: 'One', exact: true }).click()
  await expect.poll(() => page.getByRole('textbox', { name: 'Reply' }).inputValue()).toBe('Half a sentence')
})

test('filters show the channels that have all chosen values, with counts, and labels stand beside names', async () => {
  const workspace = await workspaces.make('Filtered')
  await workspace.addChannel('Web live', { attributes: { team: 'web', stage: 'live' } })
  await workspace.addChannel('Web test', { attributes: { team: 'web', stage: 'test' } })
  await workspace.addChannel('Data live', { attributes: { team: 'data', stage: 'live' } })
  await workspace.addChannel('Plain')
  await workspace.showAttribute('team', { use_as_filter: true, show_in_sidebar: true })
  await workspace.showAttribute('stage', { use_as_filter: true })
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  const filter = (name: string) => page.getByRole('button', { name, exact: true })
  await filter('live 2').click()
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Data live'])
  await expect.poll(() => filter('live 2').getAttribute('aria-pressed')).toBe('true')
  await filter('web 1').click()
  await expect.poll(() => sideNames(page)).toEqual(['Web live'])
  await filter('data 1').click()
  await expect.poll(() => sideNames(page)).toEqual(['Data live'])
  await page.getByRole('searchbox').fill('web')
  await page.getByText('No channel matches.').waitFor()
  // What is open stays open.
  await openName(page, 'Web live').waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await expect.poll(() => sideNames(page)).toHaveLength(4)
  const line = page.locator('.side-line').filter({ hasText: 'Data live' })
  await expect.poll(() => line.locator('.label').allTextContents()).toEqual(['data'])
  expect(faults).toEqual([])
})

test('of a filter’s value that is too long for the sidebar the count stays in sight', async () => {
  const workspace = await workspaces.make('Long values')
  await workspace.addChannel('One', {
    attributes: { team: 'All who look after the harbour, the lake and the river' },
  })
  await workspace.showAttribute('team', { use_as_filter: true })
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.locator('.filter-count').waitFor()
  await expect.poll(() => isInside(page.locator('.filter-count'), page.locator('.side'))).toBe(true)
})

test('what is looked for is in the address: a reload and a link lead to the same list, and clearing it cleans it', async () => {
  const workspace = await workspaces.make('Shared view', { visibility: 'public' })
  await workspace.addChannel('Web live', { attributes: { team: 'web & more', stage: 'live' } })
  const tested = await workspace.addChannel('Web test', { attributes: { team: 'web & more', stage: 'test' } })
  await workspace.addChannel('Data live', { attributes: { team: 'data', stage: 'live' } })
  await workspace.showAttribute('team', { use_as_filter: true })
  await workspace.showAttribute('stage', { use_as_filter: true })
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  const steps = () => page.evaluate(() => history.length)
  const before = await steps()
  await page.getByRole('button', { name: 'web & more 2', exact: true }).click()
  await page.getByRole('searchbox').pressSequentially('web test')
  const filtered = '?q=web+test&filter.team=web+%26+more'
  await page.waitForURL(workspace.url + filtered)
  await expect.poll(steps).toBe(before)
  await page.reload()
  await expect.poll(() => sideNames(page)).toEqual(['Web test'])
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('web test')

  // An open channel goes with it, and the way back keeps it.
  await page.getByRole('link', { name: 'Web test', exact: true }).click()
  const open = `?channel=${tested}&q=web+test&filter.team=web+%26+more`
  await page.waitForURL(workspace.url + open)
  await page.getByRole('searchbox').fill('')
  await page.waitForURL(`${workspace.url}?channel=${tested}&filter.team=web+%26+more`)
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Web test'])
  await page.goBack()
  await expect.poll(() => sideNames(page)).toEqual(['Web test'])
  await page.goForward()
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Web test'])

  const guest = await visit(browser)
  await openWorkspace(guest.page, workspace, open)
  await openName(guest.page, 'Web test').waitFor()
  await expect.poll(() => sideNames(guest.page)).toEqual(['Web test'])
  const chosen = guest.page.getByRole('button', { name: 'web & more 1', exact: true })
  await expect.poll(() => chosen.getAttribute('aria-pressed')).toBe('true')
  await chosen.click()
  await guest.page.getByRole('searchbox').press('Escape')
  await guest.page.waitForURL(`${workspace.url}?channel=${tested}`)
  await expect.poll(() => sideNames(guest.page)).toHaveLength(3)
  expect([...faults, ...guest.faults]).toEqual([])
})

test('arrow keys move in the list, Enter opens, and Tab leaves it', async () => {
  const workspace = await workspaces.make('Keys')
  for (const name of ['One', 'Two', 'Three']) await workspace.addChannel(name)
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByRole('searchbox').press('ArrowDown')
  const focused = () => page.locator(':focus').textContent()
  await expect.poll(focused).toContain('One')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(focused).toContain('Three')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await openName(page, 'Two').waitFor()
  // The focus stays where one is, so that the next arrow leads on.
  await expect.poll(focused).toContain('Two')
  await page.keyboard.press('End')
  await expect.poll(focused).toContain('Three')
  await page.keyboard.press('Tab')
  await expect.poll(() => page.locator('.side-line:focus').count()).toBe(0)
})

test('tabs: a tab for each channel, chosen by click and arrow keys, and scrolled into view', async () => {
  const workspace = await workspaces.make('Tabs', { layout: 'tabs' })
  const ids: string[] = []
  for (let i = 1; i <= 20; i++) ids.push(await workspace.addChannel(`Channel ${i}`))
  await api.push(ids[1] ?? '', [text('In two')])
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
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
  await page.goto(`${workspace.url}?channel=${ids[11]}`)
  await expect.poll(() => tab('Channel 12').getAttribute('aria-selected')).toBe('true')
  await expect.poll(() => isInside(tab('Channel 12'), page.getByRole('tablist'))).toBe(true)
  expect(faults).toEqual([])
})

type Boxed = { boundingBox: () => Promise<{ x: number; width: number } | null> }

async function isInside(one: Boxed, other: Boxed): Promise<boolean> {
  const [inner, outer] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!inner || !outer) return false
  return inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1
}

test('on a phone the list is the page, a channel opens over it, and there is a way back', async () => {
  const workspace = await workspaces.make('Phone')
  const [one] = [await workspace.addChannel('One'), await workspace.addChannel('Two')]
  await api.push(one, [text('In one')])
  const { page, faults } = await signedIn(PHONE)
  await openWorkspace(page, workspace)
  await page.getByRole('main').getByRole('link', { name: 'Two', exact: true }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)

  await page.getByRole('link', { name: 'One', exact: true }).tap()
  await page.getByRole('heading', { name: 'One', level: 1 }).waitFor()
  await card(page, 'In one').waitFor()
  await expect.poll(() => page.getByRole('link', { name: 'Two', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Back to Phone' }).tap()
  await page.getByRole('heading', { name: 'Phone', level: 1 }).waitFor()
  expect(page.url()).toBe(workspace.url)
  await page.goForward()
  await card(page, 'In one').waitFor()

  // Where one came by a link, back leads to the list and not away.
  await page.goto(`${workspace.url}?channel=${one}`)
  await card(page, 'In one').waitFor()
  await page.getByRole('button', { name: 'Back to Phone' }).tap()
  await page.getByRole('link', { name: 'Two', exact: true }).waitFor()

  await workspace.set({ layout: 'tabs' })
  await page.getByRole('tab', { name: 'One' }).waitFor()
  await workspace.set({ layout: 'grid' })
  await page.locator('.tile').first().waitFor()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)
  expect(wide).toBe(false)
  expect(faults).toEqual([])
})

test('a long feed is scrolled on its own, and older cards come', async () => {
  const workspace = await workspaces.make('Long')
  const id = await workspace.addChannel('Sensors')
  await pushMany(api, id, 64 * 6)
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await card(page, 'Card 384').waitFor()
  await page.locator('.feed-scroller').hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return card(page, /^(.*\D)?Card 1$/m).isVisible()
    })
    .toBe(true)
  await openName(page, 'Sensors').waitFor()
})
