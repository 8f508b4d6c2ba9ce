// The log of a channel: interactions, deliveries and redeliveries.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input, text } from './support/api.ts'
import { allDelivered, details, entry, openLog, postReply } from './support/log.ts'
import { expectFocus, press, section } from './support/page.ts'
import { focused } from './support/settings.ts'
import { api, hooks, open, server, session, setStage } from './support/stage.ts'
import { PHONE } from './support/visit.ts'

setStage()

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

test('a new interaction appears with its request and response', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 503, body: '{"error":"asleep"}' }))
  const { id } = await api.createChannel('Failing', { webhook_url: `${hooks.url}/hook` })
  const { page } = await openLog(id)
  await page.getByRole('heading', { name: 'No interactions yet' }).waitFor()

  const card = await api.push(id, [text('Ready?'), input('note', 'Note'), buttons('Go')])
  await session('POST', `/channels/${id}/interactions`, {
    card_id: card.id,
    trigger: { type: 'button_click', button_id: 'go' },
    values: { note: 'as entered' },
  })
  await entry(page, 'Failed · 503').waitFor()
  await press(page, 'Button: Go')
  await section(page, 'Response as received').getByText('asleep').waitFor()
  await tab(page, 'Request')
  await section(page, 'Request as sent').getByText('webhook-signature').waitFor()
  await section(page, 'Request as sent').getByText('as entered').waitFor()
  await tab(page, 'Card')
  await details(page).getByText('Ready?').waitFor()
  await details(page).getByText('as entered').waitFor()
})

test('a redelivery gets the next number and shows its result', async () => {
  hooks.behave(() => ({ kind: 'close' }))
  const { id } = await api.createChannel('Again', { webhook_url: hooks.url })
  await postReply(id, 'Once more, please')
  await allDelivered(id)
  const { page } = await openLog(id)
  await press(page, 'Once more, please')
  await tab(page, 'Response')
  await page.getByText('Reason: connection closed early').waitFor()
  await page.getByText('No response.').waitFor()

  hooks.behave(() => ({ kind: 'answer', status: 200, body: 'thanks' }))
  await press(page, 'Send again')
  await page.getByRole('button', { name: 'Delivery 2' }).getByText('Delivered · 200').waitFor()
  await section(page, 'Response as received').getByText('thanks').waitFor()
  await press(page, 'Delivery 1')
  await page.getByText('No response.').waitFor()
})

test('without a webhook, a redelivery explains why it fails', async () => {
  const { id } = await api.createChannel('Unhooked')
  await postReply(id, 'Nobody listens')
  const { page } = await openLog(id)
  await entry(page, /Nobody listens.*Not sent/)
    .getByRole('button')
    .click()
  await press(page, 'Send again')
  await page.getByRole('alert').getByText('This channel has no webhook').waitFor()
})

test('the log is filtered by type and status, and the address keeps the filters', async () => {
  hooks.behave(({ body }) => ({ kind: 'answer', status: body.includes('bad one') ? 500 : 200 }))
  const { id } = await api.createChannel('Filtered', { webhook_url: hooks.url })
  for (const words of ['good one', 'bad one']) await postReply(id, words)
  await session('POST', `/channels/${id}/webhook-test`, {})
  await allDelivered(id)
  const { page } = await openLog(id)
  await entry(page, 'Test from the settings').waitFor()
  await page.getByLabel('Delivery', { exact: true }).selectOption('Failed')
  await entry(page, 'good one').waitFor({ state: 'hidden' })
  await entry(page, 'bad one').waitFor()
  await page.getByLabel('Type', { exact: true }).selectOption('Test')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByLabel('Delivery', { exact: true }).selectOption('Any delivery')
  await entry(page, 'Test from the settings').waitFor()
  await page.reload()
  await entry(page, 'Test from the settings').waitFor()
  await expect.poll(() => page.getByLabel('Type', { exact: true }).inputValue()).toBe('test')
})

test('the log is searched by words and by person, and narrowed to days', async () => {
  const { id } = await api.createChannel('Searched')
  for (const words of ['the blue one', 'the RED one']) await postReply(id, words)
  const { page } = await openLog(id)
  await entry(page, 'the blue one').waitFor()
  await page.getByRole('searchbox', { name: 'Find in the log' }).fill('red')
  await entry(page, 'the blue one').waitFor({ state: 'hidden' })
  await entry(page, 'the RED one').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('search')).toBe('red')
  await page.getByLabel('Time', { exact: true }).selectOption('Choose days…')
  await page.getByLabel('To', { exact: true }).fill('2020-01-31')
  await page.getByRole('heading', { name: 'No results' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expectFocus(page.getByRole('main'))
  await entry(page, 'the blue one').waitFor()
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('')
})

test('an entry has its own address, and Escape closes its details', async () => {
  const { id } = await api.createChannel('Linked')
  await postReply(id, 'Look at this one')
  const { page } = await openLog(id)
  await press(page, 'Look at this one')
  await page.reload()
  await details(page).getByRole('heading', { name: 'Look at this one' }).waitFor()
  await details(page).getByText('You').or(details(page).getByText(server.owner.email)).first().waitFor()
  await press(page, 'Copy link to this entry')
  await page.getByText(/Link copied|The link is/).waitFor()
  await details(page).getByRole('tab', { name: 'Request' }).focus()
  await page.keyboard.press('Escape')
  await details(page).waitFor({ state: 'hidden' })
  await expect.poll(() => focused(page).textContent()).toContain('Look at this one')
})

test('open details stay when newer entries push theirs off the page, and their link leads to them', async () => {
  const { id } = await api.createChannel('Pushed off')
  for (let i = 1; i <= 25; i++) await postReply(id, `Reply ${i}.`)
  const { page } = await openLog(id)
  await press(page, 'Reply 1.')
  await details(page).getByRole('heading', { name: 'Reply 1.' }).waitFor()
  await tab(page, 'Response')
  await postReply(id, 'One more')
  await entry(page, 'One more').waitFor()
  await expect.poll(() => entry(page, 'Reply 1.').count()).toBe(0)
  await expect
    .poll(() => details(page).getByRole('tab', { name: 'Response' }).getAttribute('aria-selected'))
    .toBe('true')
  await page.reload()
  await details(page).getByRole('heading', { name: 'Reply 1.' }).waitFor()
  await page.goto(`${server.url}/dashboard/channels/${id}/log?entry=${crypto.randomUUID()}`)
  await page.getByText('Entry not found').waitFor()
})

test('on a narrow screen, the details cover the page and keep the focus', async () => {
  const { id } = await api.createChannel('Narrow')
  await postReply(id, 'Look at this one')
  const { page } = await open(`/dashboard/channels/${id}/log`, PHONE)
  await press(page, 'Look at this one')
  const sheet = page.getByRole('dialog', { name: 'Details: Look at this one' })
  await sheet.waitFor()
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(isOutside)).toBe(false)
  }
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await expect.poll(() => focused(page).textContent()).toContain('Look at this one')
})

/** Runs in the page. Behind the last control, the focus leaves for the browser. */
function isOutside(): boolean {
  const at = document.activeElement
  return at !== document.body && at?.closest('dialog') === null
}

test('older entries are on the next page, and paging by keyboard keeps the focus on the page', async () => {
  const { id } = await api.createChannel('Long')
  for (let i = 1; i <= 30; i++) await postReply(id, `Reply ${i}.`)
  const { page } = await openLog(id)
  await entry(page, 'Reply 30.').waitFor()
  await expect.poll(() => entry(page, 'Reply 5.').count()).toBe(0)
  await page.getByRole('button', { name: 'Older' }).press('Enter')
  await entry(page, 'Reply 5.').waitFor()
  await entry(page, 'Reply 1.').waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Older' }).isDisabled()).toBe(true)
  await expect.poll(() => focused(page).count()).toBe(1)
  await page.getByRole('button', { name: 'Newer' }).press('Enter')
  await entry(page, 'Reply 30.').waitFor()
  await expect.poll(() => focused(page).count()).toBe(1)
})

test('deliveries pending before a restore are held until someone sends them', async () => {
  hooks.behave(() => ({ kind: 'stall' }))
  const before = hooks.received.length
  const { id } = await api.createChannel('Restored', { webhook_url: hooks.url })
  for (const words of ['on its way', 'still waiting']) await postReply(id, words)
  await hooks.hasReceived(before + 1)
  await server.kill()
  // The marker that `npm run restore` leaves.
  await writeFile(join(server.data_dir, 'postgres', 'restored'), '')
  await server.restart()

  hooks.behave(() => ({ kind: 'answer', status: 200 }))
  const { page } = await openLog(id)
  await entry(page, 'on its way').getByText('Failed').waitFor()
  await page.getByLabel('Delivery', { exact: true }).selectOption('Held')
  await entry(page, 'on its way').waitFor({ state: 'hidden' })
  await entry(page, /still waiting.*Held/)
    .getByRole('button')
    .click()
  await tab(page, 'Response')
  await page.getByText('Not sent. Send it if the receiver still needs it.').waitFor()
  await page.getByLabel('Delivery', { exact: true }).selectOption('Any delivery')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.getByRole('button', { name: 'Delivery 2' }).getByText('Delivered · 200').waitFor()
  await page.getByRole('button', { name: 'Send again' }).waitFor()
  const texts = hooks.received.slice(before).map(({ body }) => JSON.parse(body).trigger.text)
  expect(texts).toEqual(['on its way', 'still waiting'])
})
