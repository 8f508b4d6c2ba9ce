// What people come for, done by keyboard alone, on a wide screen and on a phone. Tab must reach each control, and no act
// may lose the focus.
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { input, question, text } from './support/api.ts'
import { goOffline, replyBox, waiting } from './support/interactions.ts'
import { entry, statuses } from './support/log.ts'
import { section } from './support/page.ts'
import { nothingUnsaved, saveBar } from './support/settings.ts'
import { api, browser, hooks, opened, openedKeeping, server, setStage, signedIn } from './support/stage.ts'
import { card, linkStatus, PHONE, visit } from './support/visit.ts'

setStage()

const SCREENS: [string, BrowserContextOptions][] = [
  ['a wide screen', { viewport: { width: 1_280, height: 900 } }],
  ['a phone', PHONE],
]
/** More than any page has stops. */
const STOPS_MAX = 150

const hasFocus = (element: Locator) => element.evaluate(one => one === document.activeElement)

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, key = 'Tab'): Promise<void> {
  await element.waitFor()
  for (let i = 0; i < STOPS_MAX; i++) {
    if (await hasFocus(element)) return
    await page.keyboard.press(key)
  }
  throw new Error(`Tab doesn’t reach ${element}`)
}

async function pressOn(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element)
  await page.keyboard.press('Enter')
}

async function typeInto(page: Page, element: Locator, words: string): Promise<void> {
  await tabTo(page, element)
  await page.keyboard.type(words)
}

const keepsFocus = (page: Page) =>
  expect.poll(() => page.evaluate(() => document.activeElement !== document.body)).toBe(true)

test.each(SCREENS)('on %s a person signs in, and makes a workspace and a channel', async (_, screen) => {
  const { page } = await visit(browser, screen)
  await page.goto(`${server.url}/c/${server.channel_id}`)
  await pressOn(page, page.getByRole('main').getByRole('link', { name: 'Sign in' }))
  await typeInto(page, page.getByLabel('E-mail'), server.owner.email)
  await typeInto(page, page.getByRole('textbox', { name: 'Password' }), server.owner.password)
  await page.keyboard.press('Enter')
  await page.getByRole('feed').waitFor()
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await pressOn(page, page.getByRole('main').getByRole('button', { name: 'New workspace' }))
  await typeInto(page, page.getByRole('dialog').getByLabel('Name'), 'Second')
  await page.keyboard.press('Enter')
  await page.getByText('into a channel of Second').waitFor()
  await keepsFocus(page)
  await typeInto(page, page.getByLabel('Name'), 'Deploys')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Push your first card' }).waitFor()
  await keepsFocus(page)
  await pressOn(page, page.getByRole('link', { name: 'Channel settings' }))
  await page.waitForURL('**/dashboard/channels/*')
})

test.each(SCREENS)(
  'on %s the owner connects a webhook, tests it, and adds a header action',
  async (_, screen) => {
    const { id } = await api.createChannel('Settings')
    const { page } = await signedIn(screen)
    await page.goto(`${server.url}/dashboard/channels/${id}`)
    const webhook = section(page, 'Webhook')
    await typeInto(page, webhook.getByLabel('Webhook URL'), hooks.url)
    await pressOn(page, saveBar(page).getByRole('button', { name: 'Save' }))
    await nothingUnsaved(page)
    await keepsFocus(page)
    await pressOn(page, webhook.getByRole('button', { name: 'Send test' }))
    await webhook.getByText(/Delivered/).waitFor()
    await keepsFocus(page)
    await pressOn(page, page.getByRole('button', { name: 'New header action', exact: true }))
    await typeInto(page, page.getByLabel('Label of the new header action'), 'Restart')
    await pressOn(page, saveBar(page).getByRole('button', { name: 'Save' }))
    await nothingUnsaved(page)
    await keepsFocus(page)
  },
)

test.each(SCREENS)('on %s a failed delivery is found and sent again', async (_, screen) => {
  hooks.behave(() => ({ kind: 'answer', status: 500 }))
  const { id } = await api.createChannel('Failing', { webhook_url: hooks.url })
  await api.addAction(id, 'Restart', 'primary', 0)
  await api.push(id, [text('Below')])
  const { page } = await opened(id, screen)
  await pressOn(page, page.getByRole('button', { name: 'Restart' }))
  await keepsFocus(page)
  await pressOn(page, page.getByRole('link', { name: 'Open log' }))
  await pressOn(
    page,
    entry(page, 'Restart').getByRole('button').or(entry(page, 'Restart').getByRole('link')).first(),
  )
  hooks.behave(() => ({ kind: 'answer' }))
  await pressOn(page, page.getByRole('button', { name: 'Send again' }).last())
  await entry(page, /Restart.*Delivered/).waitFor()
  await keepsFocus(page)
  await expect.poll(() => statuses(id)).toEqual(['success'])
})

test.each(SCREENS)('on %s a question is composed, and answered with its field', async (_, screen) => {
  const { id } = await api.createChannel('Questions')
  const { page } = await signedIn(screen)
  await page.goto(`${server.url}/dashboard/builder?channel=${id}`)
  const tiles = page.getByRole('region', { name: 'Add a block' })
  await pressOn(page, tiles.getByRole('button', { name: 'Question', exact: true }))
  await page.keyboard.type('Ship it?')
  await pressOn(page, page.getByRole('button', { name: 'Send to channel' }))
  await page.getByRole('link', { name: 'Open the channel' }).waitFor()
  await keepsFocus(page)
  await pressOn(page, page.getByRole('link', { name: 'Open the channel' }))
  await card(page, 'Ship it?').getByText('Needs you').waitFor()
  await api.push(id, [
    text('With a field'),
    input('ticket', 'Ticket', { required: true }),
    question({}, 'Approve'),
  ])
  await card(page, 'With a field').waitFor()
  await page.keyboard.press('n')
  await page.locator('article:focus', { hasText: 'With a field' }).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.type('CHG-1')
  await pressOn(page, card(page, 'With a field').getByRole('button', { name: 'Approve' }))
  await card(page, 'With a field').getByText('You chose Approve').first().waitFor()
  await keepsFocus(page)
  await page.keyboard.press('n')
  await page.locator('article:focus', { hasText: 'Ship it?' }).waitFor()
})

test('offline a press waits, cards are found, a reply is sent later, and the owner deletes a card', async () => {
  const { id } = await api.createChannel('Offline')
  await api.addAction(id, 'Freeze', 'primary', 0)
  await api.push(id, [text('Older card')])
  await api.push(id, [text('Newest card')])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await pressOn(page, page.getByRole('button', { name: 'Freeze' }))
  await waiting(page, '1 interaction')
  await page.keyboard.press('/')
  await page.keyboard.type('older')
  await page.getByRole('option', { name: 'Older card' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('article:focus', { hasText: 'Older card' }).waitFor()
  await page.keyboard.press('r')
  await page.keyboard.type('Later')
  await page.keyboard.press('Enter')
  await waiting(page, '2 interactions')
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  await expect.poll(() => hasFocus(replyBox(page))).toBe(true)
  await page.keyboard.press('Escape')
  await page.keyboard.press('.')
  await page.locator('article:focus', { hasText: 'Newest card' }).waitFor()
  await pressOn(page, card(page, 'Newest card').getByRole('button', { name: 'More about this card' }))
  await expect.poll(() => hasFocus(page.getByRole('button', { name: 'Copy link' }))).toBe(true)
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await pressOn(page, page.getByRole('button', { name: 'Delete card', exact: true }))
  await page.locator('article:focus', { hasText: 'Older card' }).waitFor()
})
