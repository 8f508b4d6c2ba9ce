// The feed as people read it: days, new cards, filters, addresses of cards, and blocks of a newer version.
import { expect, test } from 'vitest'
import { buttons, pushFillers, pushMany, question, text } from './support/api.ts'
import { reply } from './support/interactions.ts'
import { boxOf, expectFocus, press, smallTargets } from './support/page.ts'
import { failWith, makeGate } from './support/requests.ts'
import {
  api,
  browser,
  createChannel,
  opened,
  openedKeeping,
  openNew,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { card, cardTexts, openChannel, PHONE, visit } from './support/visit.ts'

setStage()

test('the filter for errors is in the address, survives a reload, and works offline', async () => {
  const { id } = await createChannel({}, text('Fine'))
  await api.push(id, [text('Broken')], 'error')
  await api.push(id, [text('Fine again')], 'success')
  const { page } = await openedKeeping(id)
  await page.getByRole('button', { name: 'Errors 1' }).click()
  await card(page, 'Fine').first().waitFor({ state: 'detached' })
  await expect.poll(() => cardTexts(page)).toEqual(['Broken'])
  expect(new URL(page.url()).searchParams.get('show')).toBe('errors')

  await page.context().setOffline(true)
  await page.reload()
  await expect.poll(() => cardTexts(page)).toEqual(['Broken'])
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await expect.poll(() => cardTexts(page)).toEqual(['Fine again', 'Broken', 'Fine'])
  expect(new URL(page.url()).search).toBe('')
})

test('a filter without cards says so, and leads back to all cards', async () => {
  const { page } = await openNew({}, text('Fine'))
  await page.getByRole('button', { name: 'Needs you' }).click()
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
  await press(page, 'Show all cards')
  await card(page, 'Fine').waitFor()
  await expectFocus(page.getByRole('main'))
})

test('cards that the filter hides stay unread', async () => {
  const { id } = await createChannel({}, text('Read before'))
  await api.push(id, [text('Broken')], 'error')
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Errors 1' }).click()
  await card(page, 'Read before').waitFor({ state: 'detached' })
  await api.push(id, [text('Fine')])
  await expect.poll(() => page.title()).toBe('(1) A channel · Channel Feed')
  await press(page, 'All')
  await card(page, 'Fine').waitFor()
  await expect.poll(() => page.title()).toBe('A channel · Channel Feed')
})

test('a wrong clock does not change which cards need the viewer', async () => {
  const { id } = await createChannel({}, text('Release'), question({ expires_in: 3_000 }, 'Approve'))
  const { page } = await signedIn()
  await page.clock.install({ time: Date.now() + 2 * 3_600_000 })
  await openChannel(page, server, id)
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  await card(page, 'Release').getByText('Needs you').waitFor()
})

test('the hairline below a card that needs the viewer is like the one above it', async () => {
  const { id } = await createChannel({}, text('Oldest'))
  await api.push(id, [text('Two\nlines')])
  await api.push(id, [text('Below')])
  await api.push(id, [text('Release'), question({}, 'Approve')])
  await api.push(id, [text('Newest')])
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  const lineAbove = (words: string) =>
    card(page, words).evaluate(element => getComputedStyle(element, '::before').backgroundColor)
  await expect.poll(() => lineAbove('Below')).toBe(await lineAbove('Release'))
  expect(await lineAbove('Below')).not.toBe(await lineAbove('Two'))
})

test('a card that is no longer an error stays in the filter until it is chosen again', async () => {
  const { id } = await api.createChannel('Errors')
  const broken = await api.push(id, [text('Broken')], 'error')
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Errors 1' }).click()
  await api.patch(id, broken.id, { status: 'success' })
  await card(page, 'Success').waitFor()
  await press(page, 'All')
  await page.getByRole('button', { name: 'Errors', exact: true }).click()
  await page.getByRole('heading', { name: 'No errors' }).waitFor()
})

test('the address of a card shows it, also if it is in an older page', async () => {
  const { id, card_id } = await createChannel({}, text('The very first'))
  await pushFillers(api, id, 64 * 5 + 40)
  const { page } = await signedIn()
  await page.goto(`${server.url}/c/${id}?card=${card_id}`)
  await card(page, 'The very first').waitFor()
  await page.locator('article:focus', { hasText: 'The very first' }).waitFor()
  await api.remove(id, card_id)
  await page.reload()
  await page.getByText('This card was deleted.').waitFor()
}, 120_000)

test('offline, the address of a card that is not on the device says so', async () => {
  const { id } = await createChannel({}, text('Here'))
  const { page } = await openedKeeping(id)
  await card(page, 'Here').waitFor()
  await page.context().setOffline(true)
  await page.goto(`${server.url}/c/${id}?card=${crypto.randomUUID()}`)
  await page.getByText('This card isn’t on this device. Reconnect to see it.').waitFor()
})

test('the menu of a card says when it was created, and copies its address', async () => {
  const { id, card_id } = await createChannel({}, text('Linked'))
  const { page } = await opened(id, { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.keyboard.press('j')
  await press(page, 'More about this card')
  const year = String(new Date().getFullYear())
  await page.locator('.menu-note').filter({ hasText: year }).waitFor()
  await press(page, 'Copy link')
  await page.getByText('Link copied').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    `${server.url}/c/${id}?card=${card_id}`,
  )
})

test('owners find settings, log and builder in the menu of a channel; viewers do not', async () => {
  const { page, id } = await openNew({}, text('Anything'))
  await press(page, 'Channel menu')
  for (const name of ['Channel settings', 'Log', 'Create a card'])
    await page.getByRole('link', { name, exact: true }).waitFor()
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const { page: guest } = await visit(browser)
  await openChannel(guest, server, id)
  await press(guest, 'Channel menu')
  await guest.getByRole('button', { name: 'Copy link' }).waitFor()
  expect(await guest.getByRole('link', { name: 'Channel settings' }).count()).toBe(0)
})

test('a line marks what came while the viewer was away, and stays', async () => {
  const { id } = await createChannel({}, text('Read before'))
  const { page } = await openedKeeping(id)
  await card(page, 'Read before').waitFor()
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  await api.push(id, [text('Away one')])
  await api.push(id, [text('Away two')])
  await openChannel(page, server, id)
  await page.getByText('2 new since you left').waitFor()
  await api.push(id, [text('While reading')])
  await card(page, 'While reading').waitFor()
  await page.getByText('2 new since you left').waitFor()
})

test('the line of new cards counts only cards that the filter shows', async () => {
  const { id } = await api.createChannel('Away')
  await api.push(id, [text('Broken before')], 'error')
  const { page } = await openedKeeping(id)
  await card(page, 'Broken before').waitFor()
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Channels' }).waitFor()
  await api.push(id, [text('Fine')])
  await api.push(id, [text('Broken since')], 'error')
  await page.goto(`${server.url}/c/${id}?show=errors`)
  await page.getByText('1 new since you left').waitFor()
  await press(page, 'All')
  await page.getByText('2 new since you left').waitFor()
})

test('the line at the top names the day of the cards below it', async () => {
  const { id } = await api.createChannel('Days')
  await pushMany(api, id, 30)
  const { page } = await signedIn()
  await page.clock.setFixedTime(Date.now() + 24 * 3_600_000)
  await openChannel(page, server, id)
  await page.getByRole('heading', { name: /^Yesterday/ }).waitFor()
})

test('the channel menu loads once the first cards are on the screen', async () => {
  const { id } = await createChannel({}, text('First'))
  const { page } = await signedIn()
  const response = makeGate()
  await page.routeWebSocket(/\/sync\//, () => {})
  await page.route('**/first-cards', route => response.opened.then(() => route.continue()))
  let loaded = false
  page.on('request', request => {
    loaded ||= request.url().includes('channel-menu')
  })
  await page.goto(`${server.url}/c/${id}`)
  await page.getByRole('status', { name: 'Loading cards' }).waitFor()
  expect(loaded).toBe(false)

  response.open()
  await card(page, 'First').waitFor()
  await page.getByRole('button', { name: 'Channel menu' }).waitFor()
  expect(loaded).toBe(true)
})

test('if the server dies before the channel menu has loaded, the cards stay', async () => {
  const { id } = await createChannel({}, text('First'))
  const { page } = await signedIn()
  const failed = page.waitForEvent('requestfailed', request => request.url().includes('channel-menu'))
  await page.route(/channel-menu|sw\.js/, route => route.abort())
  await page.goto(`${server.url}/c/${id}`)
  await failed
  await api.push(id, [text('Second')])
  await card(page, 'Second').waitFor()
  await card(page, 'First').waitFor()
})

test('a block of an unknown type leaves a placeholder, and the rest of the card is shown', async () => {
  const { id } = await createChannel({}, text('Before it'), { type: 'divider' }, text('After it', 'after'))
  const { page } = await signedIn()
  await page.routeWebSocket(/\/sync\//, () => {})
  await page.route('**/document', route => route.abort())
  await page.route('**/first-cards', async route => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('"divider"', '"hologram"') })
  })
  await page.goto(`${server.url}/c/${id}`)
  await page.getByText('This version can’t show this block.').waitFor()
  await card(page, 'After it').waitFor()
})

test('on a phone every button of the page is at least 44 px high', async () => {
  const { id } = await createChannel({}, text('Tap'), buttons('Approve'))
  await api.addAction(id, 'Freeze', 'primary', 0)
  const { page } = await opened(id, PHONE)
  await card(page, 'Tap').waitFor()
  expect(await smallTargets(page)).toEqual([])

  await page.route('**/interactions', failWith('button_disabled'))
  await press(page, 'Approve')
  await reply(page, 'Refused too')
  await page.getByRole('button', { name: 'Edit' }).waitFor()
  expect(await smallTargets(page)).toEqual([])

  await page.goto(`${server.url}/c/${id}?show=errors&card=${crypto.randomUUID()}`)
  await page.getByRole('button', { name: 'Show all cards' }).waitFor()
  expect(await smallTargets(page)).toEqual([])
})

test('on a phone a toast leaves the reply box in reach', async () => {
  const { page } = await openNew({}, text('Fine'))
  await page.setViewportSize(PHONE.viewport)
  await press(page, 'Channel menu')
  await press(page, 'Copy link')
  const foot = await boxOf(page.locator('.foot'))
  const toast = await boxOf(page.locator('.toast'))
  expect(toast.y + toast.height).toBeLessThanOrEqual(foot.y)
})

test('on a phone the menu of a card covers neither its title, its status nor its time', async () => {
  const title = { ...text('Checkout fails for every third customer in the north'), size: 'lg', bold: true }
  const { id } = await createChannel({}, text('Fine'))
  await api.push(id, [title, text('Since the last deploy', 'more')], 'error')
  const { page } = await opened(id, { ...PHONE, viewport: { width: 320, height: 700 } })
  const broken = card(page, 'Checkout fails')
  await broken.getByText('Since the last deploy').tap()
  const menu = await boxOf(broken.getByRole('button', { name: 'More about this card' }))
  expect(Math.min(menu.width, menu.height)).toBeGreaterThanOrEqual(44)
  const sign = await boxOf(broken.getByRole('button', { name: 'More about this card' }).locator('svg'))
  for (const part of ['.card-lead', '.card-status', '.card-time']) {
    const { x, width } = await boxOf(broken.locator(part))
    expect(x + width).toBeLessThanOrEqual(sign.x)
  }
})

test('a card keeps its edges, and its text stays bold, when a patch changes their look', async () => {
  const { id, card_id } = await createChannel({}, { ...text('Short'), bold: true })
  const { page } = await opened(id)
  const patch = async (fields: object) => api.patch(id, card_id, { blocks: [{ id: 'text', patch: fields }] })
  const changed = card(page, 'Short')
  await changed.waitFor()
  await patch({ size: 'lg' })
  await page.locator('.card.card-title').waitFor()
  await expect.poll(() => changed.getAttribute('class')).toMatch(/is-first.*is-last/)
  await page.locator('.text-lg.text-bold').waitFor()
})
