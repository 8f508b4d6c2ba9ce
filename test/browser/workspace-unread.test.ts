// Unread marks: what came to a channel since its newest cards were on the screen of this device.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, pushMany, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { card, openChannel, scrollFeed, signIn, visit } from './support/visit.ts'
import { makeWorkspaces, openName, openWorkspace } from './support/workspaces.ts'

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

test('a mark appears with what comes, and goes when it was seen; what was there at first counts as read', async () => {
  const workspace = await workspaces.make('Marks')
  const [one, two] = [await workspace.addChannel('One'), await workspace.addChannel('Two')]
  for (const id of [one, two]) await pushMany(api, id, 3)
  const { page, faults } = await signedIn()
  await openWorkspace(page, workspace)
  await card(page, 'Card 3').waitFor()
  await api.push(one, [text('On the screen')])
  await card(page, 'On the screen').waitFor()
  await pushMany(api, two, 2)
  const link = page.getByRole('link', { name: 'Two 2 unread' })
  await link.waitFor()
  await expect.poll(() => page.locator('.unread').count()).toBe(1)
  await expect.poll(() => page.title()).toBe('(2) Marks · Channel Feed')

  await link.click()
  await openName(page, 'Two').waitFor()
  await page.locator('.unread').waitFor({ state: 'detached' })
  await expect.poll(() => page.title()).toBe('Marks · Channel Feed')
  await page.reload()
  await openName(page, 'Two').waitFor()
  await card(page, 'Card 2').first().waitFor()
  await expect.poll(() => page.locator('.unread').count()).toBe(0)
  expect(faults).toEqual([])
})

test('a mark lasts over a reload, and a visit to the channel on its own page takes it away', async () => {
  const workspace = await workspaces.make('Lasting', { layout: 'list' })
  const id = await workspace.addChannel('One')
  await pushMany(api, id, 2)
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByText('2 cards').waitFor()
  await pushMany(api, id, 105)
  await page.getByText('99+ unread').waitFor()
  await page.reload()
  await page.getByText('99+ unread').waitFor()

  // Another tab of the same browser tells this one.
  const other = await page.context().newPage()
  await openChannel(other, server, id)
  await card(other, 'Card 105').waitFor()
  await page.getByText('99+ unread').waitFor({ state: 'detached' })
})

test('cards that are deleted before they were seen leave no mark', async () => {
  const workspace = await workspaces.make('Deleted', { layout: 'list' })
  const id = await workspace.addChannel('One')
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await page.getByText('0 cards').waitFor()
  await api.push(id, [text('Stays')])
  const gone = await api.push(id, [text('Goes')])
  await page.getByText('2 unread').waitFor()
  await api.remove(id, gone.id)
  await page.getByText('1 unread').waitFor()
  await page.getByRole('link', { name: /One/ }).click()
  await card(page, 'Stays').waitFor()
  await page.goBack()
  await page.getByText('1 card', { exact: true }).waitFor()
  await expect.poll(() => page.getByText('unread').count()).toBe(0)
})

test('what comes above while one reads further down is unread, until one is at the top again', async () => {
  const workspace = await workspaces.make('Below')
  const id = await workspace.addChannel('One')
  await pushMany(api, id, 40)
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  await card(page, 'Card 40').waitFor()
  await scrollFeed(page, 900)
  await api.push(id, [text('Above')])
  await page.getByRole('link', { name: 'One 1 unread' }).waitFor()
  await page.getByRole('button', { name: '1 new card' }).click()
  await page.getByText('1 unread').waitFor({ state: 'detached' })
})

test('the owner sees the marks at home, and as they come', async () => {
  const workspace = await workspaces.make('At home')
  const id = await workspace.addChannel('Watched from home')
  const { page, faults } = await signedIn()
  const line = page.locator('.channel-line').filter({ hasText: 'Watched from home' })
  await openWorkspace(page, workspace)
  await page.getByText('No cards yet').waitFor()
  await page.goto(server.url)
  await line.waitFor()
  await pushMany(api, id, 2)
  await line.getByText('2 unread').waitFor()
  await line.click()
  await card(page, 'Card 2').waitFor()
  await page.goBack()
  await line.waitFor()
  await line.getByText('unread').waitFor({ state: 'detached' })
  expect(faults).toEqual([])
})
