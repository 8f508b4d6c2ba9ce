// The log of a channel: interactions, deliveries and redeliveries.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { text } from './support/api.ts'
import { api, open, server, session, stageDashboard } from './support/dashboard-stage.ts'
import { readLog } from './support/session.ts'

stageDashboard()

let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
})

afterAll(() => receiver?.stop())

const openLog = (channel: string) => open(`/dashboard/channels/${channel}/log`)

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

test('a new interaction appears with its request and response', async () => {
  receiver.behave(() => ({ kind: 'answer', status: 503, body: '{"error":"asleep"}' }))
  const { id } = await api.createChannel('Failing', { webhook_url: `${receiver.url}/hook` })
  const { page, faults } = await openLog(id)
  await page.getByRole('heading', { name: 'No interactions yet' }).waitFor()

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

test('a redelivery gets the next number and shows its result', async () => {
  receiver.behave(() => ({ kind: 'close' }))
  const { id } = await api.createChannel('Again', { webhook_url: receiver.url })
  await reply(id, 'Once more, please')
  await delivered(id)
  const { page } = await openLog(id)
  await page.getByRole('button', { name: 'Once more, please' }).click()
  await page.getByText('Reason: connection closed early').waitFor()
  await page.getByText('No response.').waitFor()

  receiver.behave(() => ({ kind: 'answer', status: 200, body: 'thanks' }))
  await page.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('button', { name: 'Delivery 2' }).getByText('Delivered · 200').waitFor()
  await page.getByRole('region', { name: 'Response as received' }).getByText('thanks').waitFor()
  await page.getByRole('button', { name: 'Delivery 1' }).click()
  await page.getByText('No response.').waitFor()
})

test('without a webhook, a redelivery explains why it fails', async () => {
  const { id } = await api.createChannel('Unhooked')
  await reply(id, 'Nobody listens')
  const { page } = await openLog(id)
  await page.getByRole('button', { name: /Nobody listens.*Not sent/ }).click()
  await page.getByRole('button', { name: 'Redeliver' }).click()
  await page.getByRole('alert').getByText('Channel has no webhook_url').waitFor()
})

test('the log is filtered by type and status, and the address keeps the filters', async () => {
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
  await page.getByRole('heading', { name: 'No matches' }).waitFor()
  await page.getByLabel('Status').selectOption('Any status')
  await entry(page, 'Sent from the settings').waitFor()
  await page.reload()
  await entry(page, 'Sent from the settings').waitFor()
  await expect.poll(() => page.getByLabel('Type').inputValue()).toBe('test')
})

test('older entries are on the next page', async () => {
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

test('deliveries pending before a restore are held until someone sends them', async () => {
  receiver.behave(() => ({ kind: 'stall' }))
  const before = receiver.received.length
  const { id } = await api.createChannel('Restored', { webhook_url: receiver.url })
  for (const words of ['on its way', 'still waiting']) await reply(id, words)
  await receiver.hasReceived(before + 1)
  await server.kill()
  // The marker that `npm run restore` leaves.
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
  await page.getByRole('button', { name: 'Delivery 2' }).getByText('Delivered · 200').waitFor()
  await page.getByRole('button', { name: 'Redeliver' }).waitFor()
  expect(receiver.received.slice(before).map(({ body }) => JSON.parse(body).trigger.text)).toEqual([
    'on its way',
    'still waiting',
  ])
})

test('too many tests are rejected with advice', async () => {
  receiver.behave(() => ({ kind: 'answer' }))
  const { id } = await api.createChannel('Tested', { webhook_url: receiver.url })
  const { page } = await openLog(id)
  await page.goto(`${server.url}/dashboard/channels/${id}`)
  const test = () => session('POST', `/channels/${id}/webhook-test`, {})
  await expect.poll(() => test().then(() => 'sent', String)).toContain('Too many tests')
  // The limit refills one test at a time, so this request uses it up before the button does.
  const words = page.getByText('Too many tests. Try again in a minute.')
  await expect
    .poll(async () => {
      await test().catch(() => {})
      await page.getByRole('button', { name: 'Send test' }).click()
      await page.getByRole('button', { name: 'Send test' }).waitFor()
      return words.count()
    })
    .toBe(1)
})
