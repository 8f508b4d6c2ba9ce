// The API reference: it requests nothing from other hosts, needs no session, and sends requests with a key.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openapi, operations } from '../support/openapi.ts'
import { fits } from './support/axe.ts'
import { api, browser, createChannel, open, openAsGuest, server, setStage } from './support/stage.ts'
import { PHONE, visit } from './support/visit.ts'

setStage()

async function cardsOf(channel: string): Promise<unknown[]> {
  const headers = { Authorization: `Bearer ${server.api_key}` }
  const response = await fetch(`${server.url}/api/v1/channels/${channel}/cards`, { headers })
  return (await response.json()).cards
}

const send = (page: Page) => page.getByRole('button', { name: 'Send request' }).click()
const responseOf = (page: Page) => page.getByRole('region', { name: 'Response', exact: true })
const panelOf = (page: Page) => page.getByRole('region', { name: 'Request', exact: true })
const codeOf = (page: Page) => page.getByRole('region', { name: /^The request in/ })
const titleOf = (page: Page, name: string) => page.getByRole('heading', { level: 2, name })

test('a guest sends a write with a key, and all requests go to this server', async () => {
  const { page } = await visit(browser)
  const elsewhere: string[] = []
  const complaints: string[] = []
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && origin !== server.url) elsewhere.push(request.url())
  })
  page.on('console', message => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text())
  })
  await page.goto(`${server.url}/docs#createCard`)
  await send(page)
  await page.getByText('Fill in channelId.').waitFor()
  await expect
    .poll(() => page.getByLabel('channelId').evaluate(one => one === document.activeElement))
    .toBe(true)

  await page.getByLabel('channelId').fill(server.channel_id)
  await send(page)
  await page.getByText('Paste an API key first.').waitFor()
  await expect
    .poll(() => page.getByLabel('API key').evaluate(one => one === document.activeElement))
    .toBe(true)
  await page.getByLabel('API key').fill(server.api_key)
  await page
    .getByRole('textbox', { name: 'JSON' })
    .fill('{"blocks": [{"type": "text", "content": "From the reference"}]}')
  await expect.poll(() => codeOf(page).textContent()).toContain(`Bearer ${server.api_key}`)
  await send(page)
  await responseOf(page).getByText('"created_at"').waitFor()
  await panelOf(page).getByText('201', { exact: true }).waitFor()
  const cards = await cardsOf(server.channel_id)
  expect(JSON.stringify(cards[0])).toContain('From the reference')
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

test('every operation has an address, also the one of earlier versions', async () => {
  const { page } = await openAsGuest('/api/v1/docs#/Cards/createCard')
  await titleOf(page, 'Push a card').waitFor()
  expect(new URL(page.url()).pathname).toBe('/docs')
  const named = await page
    .getByRole('navigation', { name: 'Operations' })
    .getByRole('link')
    .evaluateAll(links =>
      links.map(link => new URL(link.getAttribute('href') ?? '', location.href).hash.slice(1)),
    )
  const webhooks = Object.values(openapi.webhooks).map(({ post }) => post.operationId)
  expect(named.sort()).toEqual(['', ...operations.map(({ operationId }) => operationId), ...webhooks].sort())
})

test('a link of the list opens an operation and moves the focus to its title', async () => {
  const { page } = await openAsGuest('/docs')
  await page.getByRole('link', { name: 'Read a channel', exact: true }).focus()
  await page.keyboard.press('Enter')
  const title = titleOf(page, 'Read a channel')
  await expect.poll(() => title.evaluate(one => one === document.activeElement)).toBe(true)
  expect(new URL(page.url()).hash).toBe('#getChannel')
  await page.goBack()
  await titleOf(page, 'Introduction').waitFor()
})

test('the arrow keys choose the language of the code', async () => {
  const { page } = await openAsGuest('/docs#listWorkspaces')
  await page.getByRole('tab', { name: 'curl' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => codeOf(page).textContent()).toContain('await fetch(')
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => codeOf(page).textContent()).toContain('import urllib.request')
  await expect.poll(() => codeOf(page).textContent()).toContain('CHANNEL_FEED_KEY')
})

test('an owner finds the own channel and the key that was just created filled in', async () => {
  const { page } = await open('/dashboard/keys')
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('For the reference')
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await page.getByText('Copy it now').waitFor()
  await page
    .getByRole('navigation', { name: 'Dashboard' })
    .getByRole('link', { name: 'API reference' })
    .click()
  await page.getByRole('link', { name: 'List the channels of a workspace' }).click()
  await send(page)
  await responseOf(page).getByText('"name"').first().waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('API key').inputValue()).toBe('')
})

test('an owner chooses a channel by its name', async () => {
  const channel = await createChannel({ name: 'Chosen by name' })
  const { page } = await open('/docs#createCard')
  await page.getByLabel('Your channels').selectOption('Chosen by name')
  await expect.poll(() => page.getByLabel('channelId').inputValue()).toBe(channel.id)
  await expect.poll(() => codeOf(page).textContent()).toContain(`/channels/${channel.id}/cards`)
  await page.getByLabel('channelId').fill('another')
  await expect
    .poll(() => page.getByLabel('Your channels').locator('option:checked').textContent())
    .toBe('Another id')
})

test('the introduction lists the checks of a request, and code has colours', async () => {
  const { page } = await openAsGuest('/docs')
  await page.getByRole('row', { name: 'content type, JSON and fields 400' }).waitFor()
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await fits(page)).toBe(true)
  await page.goto(`${server.url}/docs#createCard`)
  await codeOf(page).locator('.json-name').first().waitFor()
  await page.getByText('array of NewBlock, required').first().waitFor({ state: 'attached' })
})

test('an event stream stays open until it is stopped', async () => {
  const { id } = await createChannel()
  const { page } = await openAsGuest('/docs#streamEvents')
  await page.getByLabel('channelId').fill(id)
  await page.getByLabel('API key').fill(server.api_key)
  await send(page)
  await page.getByRole('button', { name: 'Stop' }).waitFor()
  await api.push(id, [{ type: 'text', content: 'While it listens' }])
  await responseOf(page).getByText('While it listens').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
  await responseOf(page).getByText('While it listens').waitFor()
})

test('a deletion asks first', async () => {
  const { id, card_id } = await createChannel({}, { type: 'text', content: 'Stays' })
  const { page } = await openAsGuest('/docs#deleteCard')
  await page.getByLabel('channelId').fill(id)
  await page.getByLabel('cardId').fill(card_id)
  await page.getByLabel('API key').fill(server.api_key)
  await send(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  expect(await cardsOf(id)).toHaveLength(1)
  await send(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send' }).click()
  await panelOf(page).getByText('204', { exact: true }).waitFor()
  expect(await cardsOf(id)).toEqual([])
})

test('what a guest typed stays when the session check ends', async () => {
  const { page } = await visit(browser)
  let answer: (() => void) | undefined
  await page.route('**/api/auth/get-session', async route => {
    await new Promise<void>(resolve => {
      answer = resolve
    })
    await route.continue()
  })
  await page.goto(`${server.url}/docs#getChannel`)
  await page.getByLabel('channelId').fill('typed early')
  answer?.()
  await page.getByRole('link', { name: 'Sign in', exact: true }).waitFor()
  await expect.poll(() => page.getByLabel('channelId').inputValue()).toBe('typed early')
})

test('text that is no JSON is not sent', async () => {
  const { page } = await openAsGuest('/docs#createChannel')
  await page.getByRole('textbox', { name: 'JSON' }).fill('{')
  await page.getByText('This isn’t JSON.').waitFor()
  await send(page)
  await page.getByText('The body isn’t JSON.').first().waitFor()
  await expect.poll(() => responseOf(page).count()).toBe(0)
})

test('on a phone a select opens operations, and everything fits', async () => {
  const { page } = await openAsGuest('/docs', PHONE)
  await page.getByLabel('Operation', { exact: true }).selectOption({ label: 'Push a card' })
  await titleOf(page, 'Push a card').waitFor()
  await page.getByLabel('channelId').fill(server.channel_id)
  await page.getByLabel('API key').fill('cf_unknown')
  await send(page)
  await responseOf(page).getByText('Unauthorized').waitFor()
  expect(await fits(page)).toBe(true)
})

test('code runs from left to right, also on a page that runs from right to left', async () => {
  const { page } = await openAsGuest('/docs#createCard')
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const direction = codeOf(page).evaluate(box => getComputedStyle(box).direction)
  expect(await direction).toBe('ltr')
})
