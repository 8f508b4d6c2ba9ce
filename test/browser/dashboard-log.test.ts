// The log of a channel: what people did, how it was delivered, and once more.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { makeSession, readLog, type Session } from './support/session.ts'
import { signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser
let api: Api
let session: Session
let receiver: Receiver

beforeAll(async () => {
  server = await startServer()
  browser = await launchChromium()
  api = makeApi(server)
  session = await makeSession(server)
  receiver = await startReceiver()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await receiver?.stop()
})

async function openLog(channel: string): Promise<{ page: Page; faults: string[] }> {
  const visited = await visit(browser)
  await signIn(visited.page, server)
  await visited.page.goto(`${server.url}/dashboard/channels/${channel}/log`)
  return visited
}

const reply = (channel: string, words: string) =>
  session('POST', `/channels/${channel}/interactions`, { trigger: { type: 'reply', text: words } })

const entry = (page: Page, words: string | RegExp) => page.getByRole('listitem').filter({ hasText: words })

async function delivered(channel: string): Promise<void> {
  await expect
    .poll(async () =>
      (await readLog(session, channel)).every(({ deliveries }) => deliveries[0]?.status !== 'pending'),
    )
    .toBe(true)
}

test('an interaction appears by itself, with the request and the response', async () => {
  receiver.behave(() => ({ kind: 'answer', status: 503, body: '{"error":"asleep"}' }))
  const { id } = await api.createChannel('Failing', { webhook_url: `${receiver.url}/hook` })
  const { page, faults } = await openLog(id)
  await page.getByRole('heading', { name: 'Nothing has happened yet' }).waitFor()

  const card = await api.push(id, [
    text('Ready?'),
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] },
  ])
  await session('POST', `/channels/${id}/interactions`, {
    card_id: card.id,
    trigger: { type: 'button_click', button_id: 'go' },
    values: { note: 'as entered' },
  })
  await entry(page, 'Failed · 503').waitFor()
  await page.getByRole('button', { name: 'Go' }).click()
  await page.getByRole('region', { name: 'Request as sent' }).getByText('webhook-signature').waitFor()
  await page.getByRole('region', { name: 'Request as sent' }).getByText('as entered').waitFor()
  await page.getByRole('region', { name: 'Response as received' }).getByText('asleep').waitFor()
  expect(faults).toEqual([])
})

test('a redelivery counts on, and shows how it ended', async () => {
  receiver.behave(() => ({ kind: 'close' }))
  const { id } = await api.createChannel('Again', { webhook_url: receiver.url })
  await reply(id, 'Once more, please')
  await delivered(id)
  const { page } = await openLog(id)
  await page.getByRole('button', { name: 'Once more, please' }).click()
  await page.getByText('Reason: connection closed early').waitFor()
  await page.getByText('None came.').waitFor()

  receiver.behave(() => ({ kind: 'answer', status: 200, body: 'thanks' }))
  await page.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('button', { name: 'Attempt 2' }).getByText('Delivered · 200').waitFor()
  await page.getByRole('region', { name: 'Response as received' }).getByText('thanks').waitFor()
  await page.getByRole('button', { name: 'Attempt 1' }).click()
  await page.getByText('None came.').waitFor()
})

test('without a webhook nothing was sent, and a redelivery says why it cannot be', async () => {
  const { id } = await api.createChannel('Unhooked')
  await reply(id, 'Nobody listens')
  const { page } = await openLog(id)
  await page.getByRole('button', { name: /Nobody listens.*Not sent/ }).click()
  await page.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('alert').getByText('Channel has no webhook_url').waitFor()
})

test('the log is filtered by type and status, and the address keeps the filter', async () => {
  receiver.behave(({ body }) => ({ kind: 'answer', status: body.includes('bad one') ? 500 : 200 }))
  const { id } = await api.createChannel('Filtered', { webhook_url: receiver.url })
  for (const words of ['good one', 'bad one']) await reply(id, words)
  await session('POST', `/channels/${id}/webhook-test`, {})
  await delivered(id)
  const { page } = await openLog(id)
  await entry(page, 'Sent from the settings').waitFor()
  await page.getByLabel('Status').selectOption('Failed')
  await entry(page, 'good one').waitFor({ state: 'hidden' })
  await entry(page, 'bad one').waitFor()
  await page.getByLabel('Type').selectOption('Test')
  await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  await page.getByLabel('Status').selectOption('Any status')
  await entry(page, 'Sent from the settings').waitFor()
  await page.reload()
  await entry(page, 'Sent from the settings').waitFor()
  await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('test')
})

test('older entries are a page away, and back', async () => {
  const { id } = await api.createChannel('Long')
  for (let i = 1; i <= 30; i++) await reply(id, `Reply ${i}.`)
  const { page } = await openLog(id)
  await entry(page, 'Reply 30.').waitFor()
  await expect.poll(() => entry(page, 'Reply 5.').count()).toBe(0)
  await page.getByRole('button', { name: 'Older' }).click()
  await entry(page, 'Reply 5.').waitFor()
  await entry(page, 'Reply 1.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Newer' }).click()
  await entry(page, 'Reply 30.').waitFor()
})

test('what waited when the database was restored is held, and goes out when it is sent from the log', async () => {
  receiver.behave(() => ({ kind: 'stall' }))
  const before = receiver.received.length
  const { id } = await api.createChannel('Restored', { webhook_url: receiver.url })
  for (const words of ['on its way', 'still waiting']) await reply(id, words)
  await receiver.count(before + 1)
  await server.kill()
  // As `npm run restore` leaves it.
  await writeFile(join(server.data_dir, 'postgres', 'restored'), '')
  await server.restart()

  receiver.behave(() => ({ kind: 'answer', status: 200 }))
  const { page } = await openLog(id)
  await entry(page, 'on its way').getByText('Failed').waitFor()
  await page.getByLabel('Status').selectOption('Held')
  await entry(page, 'on its way').waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: /still waiting.*Held/ }).click()
  await page.getByText('Not sent. Send it if the receiver still needs it.').waitFor()
  await page.getByLabel('Status').selectOption('Any status')
  await page.getByRole('button', { name: /still waiting.*Held/ }).click()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Attempt 2' }).getByText('Delivered · 200').waitFor()
  await page.getByRole('button', { name: 'Redeliver' }).waitFor()
  expect(receiver.received.slice(before).map(({ body }) => JSON.parse(body).trigger.text)).toEqual([
    'on its way',
    'still waiting',
  ])
})

test('too many tests are refused in words that say what to do', async () => {
  receiver.behave(() => ({ kind: 'answer' }))
  const { id } = await api.createChannel('Tested', { webhook_url: receiver.url })
  const { page } = await openLog(id)
  await page.goto(`${server.url}/dashboard/channels/${id}`)
  const test = () => session('POST', `/channels/${id}/webhook-test`, {})
  await expect.poll(() => test().then(() => 'sent', String)).toContain('Too many tests')
  // Tests come back one at a time: what other tests use up is not there for the button.
  const words = page.getByText('Too many tests. Wait a minute, then send another one.')
  await expect
    .poll(async () => {
      await test().catch(() => {})
      await page.getByRole('button', { name: 'Send a test' }).click()
      await page.getByRole('button', { name: 'Send a test' }).waitFor()
      return words.count()
    })
    .toBe(1)
})
