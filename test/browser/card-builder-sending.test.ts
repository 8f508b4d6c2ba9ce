// The card builder: a card is sent and changed, also from a phone, without a network, and against what others do.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { text } from './support/api.ts'
import {
  addBlock,
  type BuilderScene,
  editor,
  openBuilder,
  openRow,
  pane,
  preview,
  row,
  sendButton,
  startBuilder,
  takeExample,
} from './support/builder.ts'
import { card, keptForOffline, openChannel, signIn, visit } from './support/visit.ts'

let scene: BuilderScene

beforeAll(async () => {
  scene = await startBuilder({ DAILY_CARD_LIMIT: '25' })
})

afterEach(() => scene.leave())
afterAll(() => scene?.stop())

test('a card is composed from nothing, and whoever has the channel open sees it; a double click sends it once', async () => {
  const channel = await scene.newChannel('Composed')
  const viewer = (await visit(scene.browser)).page
  await signIn(viewer, scene.server)
  await openChannel(viewer, scene.server, channel)
  const { page, faults } = await scene.open(`?channel=${channel}`)
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)

  await addBlock(page, 'Text')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Water level is low')
  await preview(page).getByText('Water level is low').waitFor()
  await addBlock(page, 'Badge')
  await page.getByLabel('Label').fill('Tank 3')
  await page.getByLabel('Variant').selectOption('warning')
  await addBlock(page, 'Buttons')
  await page.getByLabel('Label').first().fill('Refill')
  await page.getByText('warning', { exact: true }).first().click()
  await preview(page).locator('.status-warning').waitFor()

  await sendButton(page).dblclick()
  await page.getByText('the card is in the channel').waitFor()
  await card(viewer, 'Water level is low').getByText('Tank 3').waitFor()
  await card(viewer, 'Water level is low').getByRole('button', { name: 'Refill' }).waitFor()
  const cards = await scene.cardsOf(channel)
  expect(cards).toHaveLength(1)
  expect(cards[0]).toMatchObject({
    status: 'warning',
    blocks: [
      { type: 'text', id: 'text', content: 'Water level is low', size: 'lg', bold: true },
      { type: 'badge', id: 'badge', label: 'Tank 3', variant: 'warning' },
      { type: 'button', buttons: [{ id: 'approve', label: 'Refill' }, { id: 'reject' }] },
    ],
  })
  expect(faults).toEqual([])
})

test('every block type is added with an example that the preview shows and the API takes', async () => {
  const channel = await scene.newChannel('Every type')
  const { page, faults } = await scene.open(`?channel=${channel}`)
  const kinds = page.getByRole('region', { name: 'Add a block' }).getByRole('button')
  await expect.poll(() => kinds.count()).toBe(10)
  for (let i = 0; i < 10; i++) {
    await kinds.nth(i).click()
    await page.getByRole('list', { name: 'Blocks' }).locator('.block-row').nth(i).waitFor()
  }
  await expect.poll(() => preview(page).locator('[data-block-id]').count()).toBe(10)
  await sendButton(page).click()
  await page.getByText('the card is in the channel').waitFor()
  const [sent] = await scene.cardsOf(channel)
  expect(sent?.blocks.map(({ type }) => type)).toEqual(
    'text badge kv button image divider input select multiselect toggle'.split(' '),
  )
  expect(faults).toEqual([])
})

test('a card of a channel is changed by the smallest PATCH, and whoever looks sees it', async () => {
  const channel = await scene.newChannel('Changed')
  const { id } = await scene.api.push(channel, [
    text('Nightly import', 'title'),
    { type: 'kv', id: 'log', rows: [{ key: '02:00', value: 'Started' }] },
  ])
  const viewer = (await visit(scene.browser)).page
  await signIn(viewer, scene.server)
  await openChannel(viewer, scene.server, channel)
  const { page } = await scene.open(`?channel=${channel}`)
  await page.getByLabel('Card', { exact: true }).selectOption(id)
  await page.getByText('Nothing has changed yet').waitFor()
  await openRow(page, 'Key and value')
  await page.getByRole('button', { name: 'Add a row' }).click()
  await page.keyboard.type('02:01')
  await page.keyboard.press('Tab')
  await page.keyboard.type('96 files')
  await page.getByText('1 block changed').click()
  const body = await page.getByRole('region', { name: 'The body of the PATCH' }).textContent()
  expect(JSON.parse(body ?? '')).toEqual({
    blocks: [{ id: 'log', patch: { append_rows: [{ key: '02:01', value: '96 files' }] } }],
  })
  await pane(page, 'Code')
  await page.getByText('curl -X PATCH').waitFor()
  await sendButton(page).click()
  await page.getByText('whoever has the channel open sees it').waitFor()
  await card(viewer, 'Nightly import').getByText('96 files').waitFor()
  const [changed] = await scene.cardsOf(channel)
  expect(changed).toMatchObject({ id, blocks: [{}, { rows: [{ key: '02:00' }, { key: '02:01' }] }] })
  // The next PATCH begins where this one ended.
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
})

test('what others changed meanwhile is left alone, and shows once the change is sent', async () => {
  const channel = await scene.newChannel('Both')
  const badge = { type: 'badge', id: 'state', label: 'One' }
  const { id } = await scene.api.push(channel, [text('Nightly import', 'title'), badge])
  const { page } = await scene.open(`?channel=${channel}&card=${id}`)
  await openRow(page, 'Nightly import')
  await page.getByLabel('Content').fill('Weekly import')
  await scene.api.patch(channel, id, { blocks: [{ id: 'state', patch: { label: 'Two' } }] })
  await sendButton(page).click()
  await page.getByText('whoever has the channel open sees it').waitFor()
  await page.getByText('What others changed meanwhile is shown now.').waitFor()
  await row(page, 'Two').waitFor()
  await expect.poll(() => page.getByLabel('Content').inputValue()).toBe('Weekly import')
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  const [changed] = await scene.cardsOf(channel)
  expect(changed).toMatchObject({ blocks: [{ content: 'Weekly import' }, { label: 'Two' }] })
})

test('a change whose answer is lost is made once, also where more is composed before it is sent again', async () => {
  const channel = await scene.newChannel('Lost answers')
  const { id } = await scene.api.push(channel, [
    { type: 'kv', id: 'log', rows: [{ key: '02:00', value: '' }] },
  ])
  const { page } = await scene.open(`?channel=${channel}&card=${id}`)
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
  await page.getByText('The server cannot be reached').waitFor()
  await appendRow('02:02')
  await sendButton(page).click()
  await page.getByText('The server cannot be reached').waitFor()
  await page.unroute(`**/cards/${id}`)
  // Nor does an answer that says that it is still being made.
  await page.route(`**/cards/${id}`, route =>
    route.fulfill({ status: 409, json: { error: 'This request is still running' } }),
  )
  await sendButton(page).click()
  await page.getByText('still running').waitFor()
  await page.unroute(`**/cards/${id}`)
  // Another adds to the card meanwhile, which is not undone.
  const rows = [{ key: 'of another', value: '' }]
  await scene.api.patch(channel, id, { blocks: [{ id: 'log', patch: { append_rows: rows } }] })
  await appendRow('02:03')
  await sendButton(page).click()
  await page.getByText('whoever has the channel open sees it').waitFor()
  const [changed] = await scene.cardsOf(channel)
  expect(changed?.blocks[0]).toMatchObject({
    rows: ['02:00', '02:01', 'of another', '02:02', '02:03'].map(key => ({ key })),
  })
})

test('a card that is gone says so, and what was made of it is posted as a new one', async () => {
  const channel = await scene.newChannel('Gone')
  const { id } = await scene.api.push(channel, [text('Before', 'title')])
  const { page } = await scene.open(`?channel=${channel}&card=${id}`)
  await openRow(page, 'Before')
  await page.getByLabel('Content').fill('After')
  await scene.api.remove(channel, id)
  await sendButton(page).click()
  await page.getByText('This card has been deleted meanwhile').waitFor()
  await page.getByRole('button', { name: 'Post it as a new card' }).click()
  await page.getByText('the card is in the channel').waitFor()
  expect(await scene.cardsOf(channel)).toMatchObject([{ blocks: [{ content: 'After' }] }])

  await openBuilder(page, scene.server, `?channel=${channel}&card=${id}`)
  await page.getByText('Card not found').waitFor()
})

test('a channel that is gone is not silently another one', async () => {
  const channel = await scene.newChannel('Short-lived')
  await scene.api.deleteChannel(channel)
  const { page } = await scene.open(`?channel=${channel}`)
  await page.getByText('The chosen channel is gone, or not yours').waitFor()
})

test('what no PATCH can do is explained, and can be sent by its key', async () => {
  const channel = await scene.newChannel('By key')
  await scene.session('PUT', `/channels/${channel}/cards/by-key/nightly`, {
    blocks: [text('Before', 'a'), { type: 'divider', id: 'line' }],
  })
  const [{ id } = { id: '' }] = await scene.cardsOf(channel)
  const { page } = await scene.open(`?channel=${channel}&card=${id}`)
  await row(page, 'Divider').waitFor()
  await page.getByRole('button', { name: 'Delete Divider' }).click()
  await page.getByText('The divider block “line” was removed.').waitFor()
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Replace it by its key “nightly”' }).click()
  await page.getByText('the card has its new blocks').waitFor()
  const after = await scene.cardsOf(channel)
  expect(after).toHaveLength(1)
  expect(after[0]).toMatchObject({ id, blocks: [{ id: 'a' }] })
})

test('on a phone the panes stand behind tabs, and a card is composed and sent', async () => {
  const channel = await scene.newChannel('By phone')
  const { page } = await scene.open(`?channel=${channel}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await expect
    .poll(() => page.getByRole('tab').allTextContents())
    .toEqual(['Blocks', 'Preview', 'JSON', 'Code'])
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
  await sendButton(page).click()
  await page.getByText('the card is in the channel').waitFor()
  expect(await scene.cardsOf(channel)).toHaveLength(1)
})

test('without a network a card is composed and kept, and sending says why it cannot', async () => {
  const channel = await scene.newChannel('Offline')
  const { page } = await scene.open(`?channel=${channel}`, { serviceWorkers: 'allow' })
  await keptForOffline(page)
  await page.context().setOffline(true)
  await page.reload()
  await addBlock(page, 'Text')
  await pane(page, 'JSON')
  await editor(page).waitFor()
  await preview(page).getByText('Backup finished').waitFor()
  await sendButton(page).click()
  await page.getByText('The card is kept here until you send it').waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').first().waitFor({ state: 'detached' })
  await sendButton(page).click()
  await page.getByText('the card is in the channel').waitFor()
  expect(await scene.cardsOf(channel)).toHaveLength(1)
})

test('the cards to choose from are those of the channel that was chosen last, whichever is answered last', async () => {
  const slow = await scene.newChannel('Answers late')
  const chosen = await scene.newChannel('Answers at once')
  const { page } = await scene.open()
  let go = () => {}
  const going = new Promise<void>(resolve => {
    go = resolve
  })
  await page.route(`**/api/channels/${slow}/cards?*`, route => going.then(() => route.continue()))
  await scene.api.push(slow, [text('Of the other channel')])
  await scene.api.push(chosen, [text('Of this channel')])
  await page.getByLabel('Channel', { exact: true }).selectOption(slow)
  await page.getByLabel('Channel', { exact: true }).selectOption(chosen)
  const offered = page.getByLabel('Card', { exact: true }).locator('option')
  await offered.filter({ hasText: 'Of this channel' }).waitFor({ state: 'attached' })
  const late = page.waitForResponse(response => response.url().includes(slow))
  go()
  await (await late).finished()
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve)))
  await expect.poll(() => offered.filter({ hasText: 'Of the other channel' }).count()).toBe(0)
  await expect.poll(() => offered.filter({ hasText: 'Of this channel' }).count()).toBe(1)
})

test('a card that is chosen is loaded as it is now, not as it was when the list was read', async () => {
  const channel = await scene.newChannel('Moving on')
  const { id } = await scene.api.push(channel, [text('Step 1')])
  const { page } = await scene.open(`?channel=${channel}`)
  const choice = page.getByLabel('Card', { exact: true })
  await choice.locator('option', { hasText: 'Step 1' }).waitFor({ state: 'attached' })
  await scene.api.patch(channel, id, { blocks: [{ id: 'text', patch: { content: 'Step 2' } }] })
  await choice.selectOption(id)
  await row(page, 'Step 2').waitFor()
  await expect.poll(() => choice.inputValue()).toBe(id)

  // One that is gone by then is not chosen.
  const gone = await scene.api.push(channel, [text('Step 3')])
  await openBuilder(page, scene.server, `?channel=${channel}`)
  await choice.locator('option', { hasText: 'Step 3' }).waitFor({ state: 'attached' })
  await scene.api.remove(channel, gone.id)
  await choice.selectOption(gone.id)
  await page.getByText('Card not found').waitFor()
  await expect.poll(() => choice.inputValue()).toBe(id)
})

test('a used-up limit is told in the API’s words', async () => {
  const channel = await scene.newChannel('Full')
  const { page } = await scene.open(`?channel=${channel}`)
  await takeExample(page, 'Alert')
  const filled = async (): Promise<void> => scene.api.push(channel, [text('One more')]).then(filled, () => {})
  await filled()
  await sendButton(page).click()
  await page.getByText('Daily card limit reached').waitFor()
})
