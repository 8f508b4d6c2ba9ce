// The card builder: sending and changing cards, on a phone, offline, and while others change them too.
import { expect, test } from 'vitest'
import { kv, text } from './support/api.ts'
import {
  addBlock,
  cardsOf,
  editor,
  newChannel,
  open,
  openBuilder,
  openCard,
  openNewChannel,
  openRow,
  pane,
  preview,
  row,
  sendButton,
  sendChange,
  sendNew,
  takeExample,
} from './support/builder.ts'
import { failWith } from './support/requests.ts'
import { api, createChannel, opened, server, session, setStage } from './support/stage.ts'
import { card, KEEPING, keptForOffline, PHONE } from './support/visit.ts'

setStage({ DAILY_CARD_LIMIT: '25' })

test('a new card appears in the open channel, and a double click sends it once', async () => {
  const channel = await newChannel('Composed')
  const { page: viewer } = await opened(channel)
  const { page } = await open(`?channel=${channel}`)
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)

  await addBlock(page, 'Text')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Water level is low')
  await preview(page).getByText('Water level is low').waitFor()
  await addBlock(page, 'Badge')
  await page.getByLabel('Label').fill('Tank 3')
  await page.getByLabel('Variant').selectOption('Warning')
  await addBlock(page, 'Buttons')
  await page.getByLabel('Label').first().fill('Refill')
  await page.getByText('Warning', { exact: true }).first().click()
  await preview(page).locator('[data-status="warning"].card').waitFor()

  await sendButton(page).dblclick()
  await page.getByText('Sent.', { exact: true }).waitFor()
  await card(viewer, 'Water level is low').getByText('Tank 3').waitFor()
  await card(viewer, 'Water level is low').getByRole('button', { name: 'Refill' }).waitFor()
  const cards = await cardsOf(channel)
  expect(cards).toHaveLength(1)
  expect(cards[0]).toMatchObject({
    status: 'warning',
    blocks: [
      { type: 'text', id: 'text', content: 'Water level is low', size: 'lg', bold: true },
      { type: 'badge', id: 'badge', label: 'Tank 3', variant: 'warning' },
      { type: 'button', buttons: [{ id: 'approve', label: 'Refill' }, { id: 'reject' }] },
    ],
  })
})

test('after sending, no solid button repeats the card, even after a reload, until the card is edited', async () => {
  const { channel, page } = await openNewChannel('Repeated')
  await addBlock(page, 'Text')
  await page.keyboard.type('Water level is low')
  await sendNew(page)
  const outcome = page.getByRole('region', { name: 'Destination' })
  await outcome.getByRole('link', { name: 'Open the channel' }).waitFor()
  await outcome.getByRole('button', { name: 'Change this card' }).waitFor()
  const another = page.getByRole('button', { name: 'Send another' })
  await expect.poll(() => another.getAttribute('class')).toBe('button button-secondary')
  await openBuilder(page, server, `?channel=${channel}`)
  await another.waitFor()
  await openRow(page, 'Water level is low')
  await page.getByLabel('Content').fill('Water level is high')
  await expect.poll(() => sendButton(page).getAttribute('class')).toBe('button button-primary')
  await page.getByLabel('Content').fill('Water level is low')
  await another.waitFor()
  expect(await cardsOf(channel)).toHaveLength(1)
  // A double click on it is one card, too.
  await another.dblclick()
  await expect.poll(async () => (await cardsOf(channel)).length).toBe(2)
})

test('the preview shows and the API accepts the example of every block type', async () => {
  const { channel, page } = await openNewChannel('Every type')
  const kinds = page.getByRole('region', { name: 'Add a block' }).getByRole('button')
  // The first one adds a question.
  await expect.poll(() => kinds.count()).toBe(11)
  for (let i = 0; i < 10; i++) {
    await kinds.nth(i + 1).click()
    await page.getByRole('list', { name: 'Blocks' }).locator('.block-row').nth(i).waitFor()
  }
  await expect.poll(() => preview(page).locator('[data-block-id]').count()).toBe(10)
  await sendNew(page)
  const [sent] = await cardsOf(channel)
  expect(sent?.blocks.map(({ type }) => type)).toEqual(
    'text badge kv button image divider input select multiselect toggle'.split(' '),
  )
})

test('a card is changed by the smallest PATCH, and viewers see it', async () => {
  const rows = [{ key: '02:00', value: 'Started' }]
  const { id: channel, card_id: id } = await createChannel({}, text('Nightly import'), kv(rows))
  const { page: viewer } = await opened(channel)
  const { page } = await open(`?channel=${channel}`)
  await page.getByLabel('Card', { exact: true }).selectOption(id)
  await page.getByText('No changes yet').waitFor()
  await openRow(page, 'Key and value')
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.keyboard.type('02:01')
  await page.keyboard.press('Tab')
  await page.keyboard.type('96 files')
  await page.getByText('1 block changed').click()
  const body = await page.getByRole('region', { name: 'PATCH body' }).textContent()
  expect(JSON.parse(body ?? '')).toEqual({
    blocks: [{ id: 'kv', patch: { append_rows: [{ key: '02:01', value: '96 files' }] } }],
  })
  await pane(page, 'Code')
  await page.getByText('curl -X PATCH').waitFor()
  await sendChange(page)
  await card(viewer, 'Nightly import').getByText('96 files').waitFor()
  const [changed] = await cardsOf(channel)
  expect(changed).toMatchObject({ id, blocks: [{}, { rows: [{ key: '02:00' }, { key: '02:01' }] }] })
  // The next PATCH starts from the changed card.
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
})

test('changes that others make are kept, and appear after sending', async () => {
  const badge = { type: 'badge', id: 'state', label: 'One' }
  const { channel, id, page } = await openCard(text('Nightly import', 'title'), badge)
  await openRow(page, 'Nightly import')
  await page.getByLabel('Content').fill('Weekly import')
  await api.patch(channel, id, { blocks: [{ id: 'state', patch: { label: 'Two' } }] })
  await sendChange(page)
  await page.getByText('Updated with other people’s changes.').waitFor()
  await row(page, 'Two').waitFor()
  await expect.poll(() => page.getByLabel('Content').inputValue()).toBe('Weekly import')
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  const [changed] = await cardsOf(channel)
  expect(changed).toMatchObject({ blocks: [{ content: 'Weekly import' }, { label: 'Two' }] })
})

test('a change without a response is applied once, even if more is composed before the retry', async () => {
  const { channel, id, page } = await openCard(kv([{ key: '02:00', value: '' }]))
  const appendRow = async (key: string) => {
    await page.getByRole('button', { name: 'Add a row' }).click()
    await page.keyboard.type(key)
  }
  await openRow(page, 'Key and value')
  await appendRow('02:01')
  await page.route(`**/cards/${id}`, async route => {
    if (route.request().method() === 'PATCH') await route.fetch()
    await route.abort()
  })
  await sendButton(page).click()
  await page.getByText('The server can’t be reached').waitFor()
  await appendRow('02:02')
  await sendButton(page).click()
  await page.getByText('The server can’t be reached').waitFor()
  await page.unroute(`**/cards/${id}`)
  // A 409 says that the server is still applying it.
  await page.route(`**/cards/${id}`, failWith('idempotency_key_in_use'))
  await sendButton(page).click()
  await page.getByText('is being saved already').waitFor()
  await page.unroute(`**/cards/${id}`)
  // A row that someone else adds meanwhile must stay.
  const rows = [{ key: 'of another', value: '' }]
  await api.patch(channel, id, { blocks: [{ id: 'kv', patch: { append_rows: rows } }] })
  await appendRow('02:03')
  await sendChange(page)
  const [changed] = await cardsOf(channel)
  expect(changed?.blocks[0]).toMatchObject({
    rows: ['02:00', '02:01', 'of another', '02:02', '02:03'].map(key => ({ key })),
  })
})

test('a deleted card shows an error, and its changes are sent as a new card', async () => {
  const { channel, id, page } = await openCard(text('Before'))
  await openRow(page, 'Before')
  await page.getByLabel('Content').fill('After')
  await api.remove(channel, id)
  await sendButton(page).click()
  await page.getByText('This card was deleted').waitFor()
  await page.getByRole('button', { name: 'Send as a new card' }).click()
  await page.getByText('Sent.', { exact: true }).waitFor()
  expect(await cardsOf(channel)).toMatchObject([{ blocks: [{ content: 'After' }] }])

  await openBuilder(page, server, `?channel=${channel}&card=${id}`)
  await page.getByText('This card was deleted', { exact: true }).waitFor()
})

test('another channel than a deleted one is not chosen silently', async () => {
  const channel = await newChannel('Short-lived')
  await api.deleteChannel(channel)
  const { page } = await open(`?channel=${channel}`)
  await page.getByText('That channel isn’t available').waitFor()
})

test('a change that no PATCH can make is explained and sent by key', async () => {
  const channel = await newChannel('By key')
  await session('PUT', `/channels/${channel}/cards/by-key/nightly`, {
    blocks: [text('Before', 'a'), { type: 'divider', id: 'line' }],
  })
  const [{ id } = { id: '' }] = await cardsOf(channel)
  const { page } = await open(`?channel=${channel}&card=${id}`)
  await row(page, 'Divider').waitFor()
  await page.getByRole('button', { name: 'Delete Divider' }).click()
  await page.getByText('The divider block “line” was removed.').waitFor()
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Replace by key “nightly”' }).click()
  await page.getByText('the card has its new blocks').waitFor()
  const after = await cardsOf(channel)
  expect(after).toHaveLength(1)
  expect(after[0]).toMatchObject({ id, blocks: [{ id: 'a' }] })
})

test('on a phone the panes are tabs, and a card is composed and sent', async () => {
  const { channel, page } = await openNewChannel('By phone', PHONE)
  const tabs = () => page.getByRole('tab').allTextContents()
  await expect.poll(tabs).toEqual(['Blocks', 'Preview', 'JSON', 'Code'])
  await addBlock(page, 'Toggle')
  await page.getByLabel('Label').fill('Sprinkler')
  await pane(page, 'Preview')
  await preview(page).getByRole('switch', { name: 'Sprinkler' }).waitFor()
  await pane(page, 'Code')
  await page.getByText(`/channels/${channel}/cards`).waitFor()
  await pane(page, 'JSON')
  await editor(page).waitFor()
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
  await sendNew(page)
  expect(await cardsOf(channel)).toHaveLength(1)
})

test('offline a card is composed and saved, and sending shows an error', async () => {
  const { channel, page } = await openNewChannel('Offline', KEEPING)
  await keptForOffline(page)
  await page.context().setOffline(true)
  await page.reload()
  await addBlock(page, 'Text')
  await pane(page, 'JSON')
  await editor(page).waitFor()
  await preview(page).getByText('Backup finished').waitFor()
  await sendButton(page).click()
  await page.getByText('The card is saved here until you send it').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').first().waitFor({ state: 'detached' })
  await sendNew(page)
  expect(await cardsOf(channel)).toHaveLength(1)
})

test('a reached limit shows the API’s message', async () => {
  const { channel, page } = await openNewChannel('Full')
  await takeExample(page, 'Alert')
  const filled = async (): Promise<void> => api.push(channel, [text('One more')]).then(filled, () => {})
  await filled()
  await sendButton(page).click()
  await page.getByText('Daily card limit reached').waitFor()
})
