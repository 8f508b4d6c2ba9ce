// The palette: a few letters open any channel, page or action, even without a network.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { text } from './support/api.ts'
import { goOffline } from './support/interactions.ts'
import { expectFocus, press } from './support/page.ts'
import { makeGate } from './support/requests.ts'
import {
  api,
  browser,
  createChannel,
  open,
  opened,
  openedKeeping,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { KEEPING, keptForOffline, openChannel, PHONE, visit } from './support/visit.ts'

setStage()

let deploys: string
let payments: string

beforeAll(async () => {
  deploys = (await createChannel({ name: 'Deploys', icon: '🚀' }, text('A card'))).id
  payments = (await createChannel({ name: 'Payments Überwachung', icon: '💳' })).id
})

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search and jump' })
const field = (page: Page) => page.getByRole('combobox', { name: 'Search c' })

async function openPalette(page: Page): Promise<void> {
  // The page of the last visit, shown while the app loads, hears no keys.
  await page.locator('#app:not([inert]) > *').first().waitFor({ state: 'attached' })
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
}

/** The option that Enter opens, as screen readers announce it. */
function current(page: Page): Promise<string | undefined> {
  return field(page).evaluate(input => {
    const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
    const isSelected = option?.getAttribute('aria-selected') === 'true'
    return isSelected ? option.querySelector('[dir="auto"]')?.textContent : undefined
  })
}

test('Enter opens the channel that the letters match, with or without accents', async () => {
  const { page } = await opened(deploys)
  await openPalette(page)
  await field(page).fill('uber pay')
  await expect.poll(() => current(page)).toBe('Payments Überwachung')
  await page.keyboard.press('Enter')
  await page.waitForURL(`${server.url}/c/${payments}`)
  await expect.poll(() => palette(page).count()).toBe(0)
})

test('the palette loads when it first opens, and keys pressed meanwhile do nothing on the page', async () => {
  const { page } = await signedIn()
  const script = makeGate()
  let requests = 0
  await page.route('**/assets/palette-*.js', route => {
    requests++
    return script.opened.then(() => route.continue())
  })
  await openChannel(page, server, deploys)
  expect(requests).toBe(0)
  await page.keyboard.press('Control+k')
  await expect.poll(() => requests).toBe(1)
  for (const key of ['g', 'u', 'r', '?']) await page.keyboard.press(key)
  script.open()
  await field(page).waitFor()
  expect(page.url()).toBe(`${server.url}/c/${deploys}`)
  await expectFocus(field(page))
})

test('Ctrl+K opens and closes the palette on a keyboard of any script', async () => {
  const { page } = await opened(deploys)
  const press = () =>
    page.evaluate(() => {
      const cyrillic = { key: 'л', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', cyrillic))
    })
  await press()
  await field(page).waitFor()
  await press()
  await palette(page).waitFor({ state: 'detached' })
})

test('the arrow keys wrap around, and the last channel comes first', async () => {
  const { page } = await opened(payments)
  await openChannel(page, server, deploys)
  await openPalette(page)
  await expect.poll(() => current(page)).toBe('Payments Überwachung')
  await page.keyboard.press('ArrowUp')
  const last = page.getByRole('option').last()
  await expect.poll(() => current(page)).toBe(await last.locator('[dir="auto"]').textContent())
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => current(page)).toBe('Payments Überwachung')
})

test('the palette opens on a page with an emoji picker, but not above the open picker', async () => {
  const { page } = await open(`/dashboard/channels/${deploys}`)
  await press(page, 'Choose')
  await page.getByLabel('Search emojis').waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await page.getByLabel('Search emojis').waitFor({ state: 'hidden' })
  await expect.poll(() => palette(page).count()).toBe(0)
  await openPalette(page)
})

test('Escape closes the palette and gives the focus back', async () => {
  const { page } = await opened(deploys)
  const menu = page.getByRole('button', { name: 'Channel menu' })
  await menu.focus()
  await openPalette(page)
  await page.keyboard.press('Escape')
  await palette(page).waitFor({ state: 'detached' })
  await expectFocus(menu)
})

test('the palette creates channels and keys, changes the theme and opens the log of the channel', async () => {
  const { page } = await opened(deploys)
  const run = async (words: string, name: string) => {
    await openPalette(page)
    await field(page).fill(words)
    await page.getByRole('option', { name }).first().waitFor()
    await expect.poll(() => current(page)).toContain(name)
    await page.keyboard.press('Enter')
  }
  await run('dark', 'Dark theme')
  await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
  await run('log of this', 'Log of this channel')
  await page.waitForURL(`${server.url}/dashboard/channels/${deploys}/log`)
  await run('new channel', 'New channel in')
  await page.getByRole('dialog', { name: 'New channel' }).waitFor()
  expect(new URL(page.url()).search).toBe('')
  await page.keyboard.press('Escape')
  await run('new key', 'New API key')
  await page.getByRole('dialog', { name: 'New API key' }).waitFor()
})

test('the palette lists the channels of this device without a network', async () => {
  const { page } = await opened(payments, KEEPING)
  await openChannel(page, server, deploys)
  await keptForOffline(page)
  await goOffline(page)
  await page.reload()
  await openPalette(page)
  await field(page).fill('paym')
  await expect.poll(() => current(page)).toBe('Payments Überwachung')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Payments Überwachung' }).waitFor()
})

test('a tap on the search icon opens the palette, a tap on an option the page', async () => {
  const { page } = await opened(deploys, PHONE)
  await page.getByRole('button', { name: /^Search/ }).tap()
  await field(page).fill('usage')
  await page.getByRole('option', { name: 'Usage' }).tap()
  await page.waitForURL(`${server.url}/dashboard/usage`)
})

test('a signed-out viewer sees the channels of this device and nothing of an owner', async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const { page } = await visit(browser)
  await openChannel(page, server, deploys)
  await page.goto(server.url)
  await openPalette(page)
  await page.getByRole('option', { name: 'Deploys' }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: 'Payments' }).count()).toBe(0)
  await expect.poll(() => page.getByRole('option', { name: 'API keys' }).count()).toBe(0)
  await page.getByRole('option', { name: 'Sign in' }).waitFor()
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'private' })
})

test('signing out forgets the recent channels', async () => {
  const { page } = await opened(deploys)
  await openPalette(page)
  await field(page).fill('sign out')
  await page.getByRole('option', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Live feeds for your automations' }).waitFor()
  await openPalette(page)
  await page.getByRole('option', { name: 'Sign in' }).waitFor()
  await expect.poll(() => page.getByRole('option', { name: 'Deploys' }).count()).toBe(0)
})

test('the cards of the open channel are found first, also without a network', async () => {
  const { id, card_id } = await createChannel({}, text('Payments: error rate above 2 %'))
  for (let i = 0; i < 60; i++) await api.push(id, [text(`Deployed ${i}`)])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await openPalette(page)
  await field(page).fill('error')
  await page.getByRole('group', { name: 'Cards in this channel' }).getByText('Payments: error rate').waitFor()
  await expect.poll(() => current(page)).toBe('Payments: error rate above 2 %')
  await page.keyboard.press('Enter')
  await expectFocus(page.locator(`[data-card-id="${card_id}"]`))
})
