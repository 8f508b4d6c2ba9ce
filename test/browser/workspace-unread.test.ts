// Unread marks: cards that arrived since a channel's newest cards were on the screen of this device.
import { expect, test } from 'vitest'
import { pushMany, text } from './support/api.ts'
import { press } from './support/page.ts'
import { openName } from './support/sidebar.ts'
import { api, server, setStage, signedIn } from './support/stage.ts'
import { card, openChannel, savedIn, scrollFeed } from './support/visit.ts'
import { makeWorkspace, openAsOwner, openWorkspace, pushToEach } from './support/workspaces.ts'

setStage()

test('new cards are marked until they are seen, and a new device counts everything as read', async () => {
  const workspace = await makeWorkspace('Marks', { channels: ['One', 'Two'] })
  const [one = '', two = ''] = workspace.ids
  for (const id of [one, two]) await pushMany(api, id, 3)
  const { page } = await openAsOwner(workspace)
  await card(page, 'Card 3').waitFor()
  await api.push(one, [text('On the screen')])
  await card(page, 'On the screen').waitFor()
  await pushMany(api, two, 2)
  const link = page.getByRole('link', { name: 'Two, 2 unread' })
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
})

test('a mark survives a reload until the channel is opened on its own page', async () => {
  const workspace = await makeWorkspace('Lasting', { layout: 'list' })
  const id = await workspace.addChannel('One')
  await pushMany(api, id, 2)
  const { page } = await openAsOwner(workspace)
  await page.getByText('2 cards').waitFor()
  await pushMany(api, id, 105)
  await page.getByText('99+ unread').waitFor()
  await page.reload()
  await page.getByText('99+ unread').waitFor()

  // Tabs of the same browser share read marks.
  const other = await page.context().newPage()
  await openChannel(other, server, id)
  await card(other, 'Card 105').waitFor()
  await page.getByText('99+ unread').waitFor({ state: 'detached' })
})

test('a read mark survives if the page is left before it is written', async () => {
  const workspace = await makeWorkspace('Hasty', { channels: ['One', 'Two'] })
  const [one = '', two = ''] = workspace.ids
  await pushToEach(workspace, ['One', 'Two'])
  const { page } = await openAsOwner(workspace, `?channel=${one}`)
  await expect.poll(() => savedIn(page, 'channel-feed', 'local', `read:${two}`)).not.toBe('null')
  await api.push(two, [text('Came later')])
  await page.getByRole('link', { name: 'Two, 1 unread' }).waitFor()
  await page.evaluate(address => {
    const { prototype } = (frames[0] as Window & typeof globalThis).IDBObjectStore
    const { put } = prototype
    prototype.put = function (value, key) {
      const request = put.call(this, value, key)
      if (!String(key).startsWith('read:')) return request
      this.transaction.abort()
      location.assign(address)
      return request
    }
  }, `${workspace.url}?channel=${one}#next`)
  await page.getByRole('link', { name: 'Two, 1 unread' }).click()
  await page.waitForURL(/#next/)
  await api.push(two, [text('Came last')])
  await page.getByRole('link', { name: 'Two, 1 unread' }).waitFor()
})

test('cards that are deleted unread leave no mark', async () => {
  const workspace = await makeWorkspace('Deleted', { layout: 'list' })
  const id = await workspace.addChannel('One')
  const { page } = await openAsOwner(workspace)
  await page.getByText('No cards yet').waitFor()
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

test('cards that arrive above stay unread until the reader is at the top', async () => {
  const workspace = await makeWorkspace('Below')
  const id = await workspace.addChannel('One')
  await pushMany(api, id, 40)
  const { page } = await openAsOwner(workspace)
  await card(page, 'Card 40').waitFor()
  await scrollFeed(page, 500)
  await api.push(id, [text('Above')])
  await page.getByRole('link', { name: 'One, 1 unread' }).waitFor()
  await press(page, '1 new card')
  await page.getByText('1 unread').waitFor({ state: 'detached' })
})

test('home shows the owner’s unread marks live', async () => {
  const workspace = await makeWorkspace('At home')
  const id = await workspace.addChannel('Watched from home')
  const { page } = await signedIn()
  const line = page.getByRole('row').filter({ hasText: 'Watched from home' })
  await openWorkspace(page, workspace)
  await page.getByRole('heading', { name: 'No cards yet' }).waitFor()
  await page.goto(server.url)
  await line.waitFor()
  await pushMany(api, id, 2)
  await line.getByText('2 unread').waitFor()
  await line.getByRole('link').click()
  await card(page, 'Card 2').waitFor()
  await page.goBack()
  await line.waitFor()
  await line.getByText('unread').waitFor({ state: 'detached' })
})
