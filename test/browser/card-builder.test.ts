// The card builder: a card is composed, seen, sent and changed, and what is wrong with it has the API's words.
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, text } from './support/api.ts'
import {
  addBlock,
  editor,
  openBuilder,
  openRow,
  pane,
  preview,
  row,
  sendButton,
  takeExample,
  writeJson,
} from './support/builder.ts'
import { launchChromium } from './support/chromium.ts'
import { makeSession, type Session } from './support/session.ts'
import { card, keptForOffline, openChannel, signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser
let api: Api
let session: Session

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '25' })
  browser = await launchChromium()
  api = makeApi(server)
  session = await makeSession(server)
})

afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

type Listed = { id: string; status: string; blocks: ({ type: string } & Record<string, unknown>)[] }

const cardsOf = async (channel: string) =>
  (await session<{ cards: Listed[] }>('GET', `/channels/${channel}/cards`)).cards

async function open(query = '', options = {}): Promise<{ page: Page; faults: string[] }> {
  const visited = await visit(browser, options)
  await signIn(visited.page, server)
  await openBuilder(visited.page, server, query)
  return visited
}

const newChannel = async (name: string, fields: object = {}) => (await api.createChannel(name, fields)).id

test('a card is composed from nothing, and whoever has the channel open sees it; a double click sends it once', async () => {
  const channel = await newChannel('Composed')
  const viewer = (await visit(browser)).page
  await signIn(viewer, server)
  await openChannel(viewer, server, channel)
  const { page, faults } = await open(`?channel=${channel}`)
  expect(await sendButton(page).isDisabled()).toBe(true)

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
  expect(faults).toEqual([])
})

test('every block type is added with an example that the preview shows and the API takes', async () => {
  const channel = await newChannel('Every type')
  const { page, faults } = await open(`?channel=${channel}`)
  const kinds = page.getByRole('region', { name: 'Add a block' }).getByRole('button')
  expect(await kinds.count()).toBe(10)
  for (let i = 0; i < 10; i++) {
    await kinds.nth(i).click()
    await page.getByRole('list', { name: 'Blocks' }).locator('.block-row').nth(i).waitFor()
  }
  expect(await preview(page).locator('[data-block-id]').count()).toBe(10)
  await sendButton(page).click()
  await page.getByText('the card is in the channel').waitFor()
  const [sent] = await cardsOf(channel)
  expect(sent?.blocks.map(({ type }) => type)).toEqual(
    'text badge kv button image divider input select multiselect toggle'.split(' '),
  )
  expect(faults).toEqual([])
})

test('the preview can be tried, and nothing is sent', async () => {
  const channel = await newChannel('Tried')
  const { page } = await open(`?channel=${channel}`)
  const posted: string[] = []
  page.on('request', request => request.method() !== 'GET' && posted.push(request.url()))
  await takeExample(page, 'Form')
  const shown = preview(page)
  await shown.getByRole('button', { name: 'Open the incident' }).click()
  await shown.getByText('This is required').first().waitFor()
  await shown.getByLabel('What happened').fill('The shop is closed')
  await shown.getByLabel('Severity').selectOption('Some are affected')
  await shown.getByRole('button', { name: 'Open the incident' }).click()
  const told = page.getByRole('region', { name: 'What would be sent', exact: true })
  await told.getByText('nothing was sent').waitFor()
  const words = (await told.textContent()) ?? ''
  expect(words).toContain('"button_id": "open"')
  expect(words).toContain('"value": "The shop is closed"')
  expect(words).toContain('"value": "2"')
  expect(posted).toEqual([])
  expect(await cardsOf(channel)).toEqual([])
})

test('the preview shows the card in light and in dark, whatever the app has', async () => {
  const { page } = await open()
  await takeExample(page, 'Alert')
  const ground = () => preview(page).evaluate(stage => getComputedStyle(stage).backgroundColor)
  const light = await ground()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('Phone', { exact: true }).click()
  const dark = await ground()
  expect(dark).not.toBe(light)
  await page.getByRole('button', { name: /^Theme: as the system/ }).click()
  await page.getByRole('button', { name: /^Theme: light/ }).click()
  await page.getByText('As the app').click()
  expect(await ground()).toBe(dark)
  await page.getByText('Light', { exact: true }).click()
  expect(await ground()).toBe(light)
})

const WRONG: unknown[] = [
  {},
  { blocks: [] },
  { blocks: 'none' },
  [],
  { blocks: [{ type: 'text' }] },
  { blocks: [{ type: 'text', content: 'a' }, { type: 'nothing' }] },
  { blocks: [{ type: 'badge', label: '' }] },
  {
    blocks: [
      { type: 'text', id: 'a', content: '' },
      { type: 'divider', id: 'a' },
    ],
  },
  { blocks: [{ type: 'button', buttons: [{ label: 'Go', style: 'loud' }] }] },
  { blocks: [{ type: 'select', label: 'S', options: ['a'], value: 'b' }] },
  { blocks: [{ type: 'kv', rows: [{ key: 'a' }] }] },
  { blocks: [{ type: 'image', url: 'ftp://a.example' }] },
  { status: 'soon', blocks: [{ type: 'divider' }] },
  { blocks: [{ type: 'text', content: '\u0000' }] },
]

test('what is wrong with the JSON is said as the API says it', async () => {
  const { page } = await open()
  await pane(page, 'JSON')
  for (const wrong of [...WRONG.map(value => JSON.stringify(value, null, 2)), '{"blocks": [}', '']) {
    const response = await fetch(`${server.url}/api/v1/channels/${server.channel_id}/cards`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${server.api_key}`, 'Content-Type': 'application/json' },
      body: wrong,
    })
    const { error }: { error: string } = await response.json()
    expect(response.status).toBe(400)
    await editor(page).fill(wrong)
    const first = page.locator('.problem-words').first()
    await first.filter({ hasText: error }).waitFor()
    expect((await first.textContent())?.startsWith(error)).toBe(true)
    expect(await sendButton(page).isDisabled()).toBe(true)
  }
})

test('a problem leads to its field, or to its line', async () => {
  const { page } = await open()
  await writeJson(
    page,
    JSON.stringify({ blocks: [{ type: 'divider' }, { type: 'badge', label: '' }] }, null, 2),
  )
  await page.getByText('line 8, column 16').waitFor()
  await page.getByRole('button', { name: 'blocks[1].label is required' }).click()
  await page.locator('.cm-focused').waitFor()
  await pane(page, 'Blocks')
  await page.getByRole('button', { name: 'blocks[1].label is required' }).click()
  await page.locator('input:focus[aria-invalid="true"]').waitFor()
  await page.locator('.form-error', { hasText: 'label is required' }).waitFor()
  await page.keyboard.type('Fine')
  await page.locator('.problem-words').waitFor({ state: 'detached' })
})

test('JSON that cannot be read says where; the blocks wait, and what was there can be had back', async () => {
  const { page } = await open()
  await takeExample(page, 'Alert')
  await writeJson(page, '{\n  "blocks": [\n    { "type": "text" "content": "One" }\n  ]\n}')
  await page.getByText('A comma or } is expected here').waitFor()
  await page.getByText('line 3, column 22').waitFor()
  await pane(page, 'Blocks')
  await page.getByText('cannot be edited while the JSON cannot be read').waitFor()
  await preview(page).getByText('Error rate above 2 %').waitFor()
  const old = page.getByText('This is the card as it last could be')
  await old.waitFor()
  await page.getByRole('button', { name: 'go back to what could be read' }).click()
  await row(page, 'Error rate above 2 %').waitFor()
  expect(await old.count()).toBe(0)
  expect(await page.locator('.problem-words').count()).toBe(0)
})

test('the JSON and the blocks are two ways to write one card', async () => {
  const { page } = await open()
  await writeJson(page, '{"blocks":[{"type":"text","id":"a","content":"From JSON"}]}')
  await preview(page).getByText('From JSON').waitFor()
  await page.getByRole('button', { name: 'Format' }).click()
  await page.locator('.cm-line').nth(2).waitFor()
  await pane(page, 'Blocks')
  await openRow(page, 'From JSON')
  await page.getByLabel('Content').fill('From the form')
  await page.getByLabel('Size').selectOption('xl')
  await pane(page, 'JSON')
  const json: unknown = JSON.parse((await editor(page).innerText()).trim())
  expect(json).toEqual({ blocks: [{ type: 'text', id: 'a', content: 'From the form', size: 'xl' }] })
  await editor(page).press('ControlOrMeta+z')
  await editor(page).press('ControlOrMeta+z')
  await preview(page).getByText('From JSON').waitFor()
})

test('a card of a channel is changed by the smallest PATCH, and whoever looks sees it', async () => {
  const channel = await newChannel('Changed')
  const { id } = await api.push(channel, [
    text('Nightly import', 'title'),
    { type: 'kv', id: 'log', rows: [{ key: '02:00', value: 'Started' }] },
  ])
  const viewer = (await visit(browser)).page
  await signIn(viewer, server)
  await openChannel(viewer, server, channel)
  const { page } = await open(`?channel=${channel}`)
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
  const [changed] = await cardsOf(channel)
  expect(changed).toMatchObject({ id, blocks: [{}, { rows: [{ key: '02:00' }, { key: '02:01' }] }] })
  // The next PATCH begins where this one ended.
  expect(await sendButton(page).isDisabled()).toBe(true)
})

test('what others changed meanwhile is left alone, and shows once the change is sent', async () => {
  const channel = await newChannel('Both')
  const badge = { type: 'badge', id: 'state', label: 'One' }
  const { id } = await api.push(channel, [text('Nightly import', 'title'), badge])
  const { page } = await open(`?channel=${channel}&card=${id}`)
  await openRow(page, 'Nightly import')
  await page.getByLabel('Content').fill('Weekly import')
  await api.patch(channel, id, { blocks: [{ id: 'state', patch: { label: 'Two' } }] })
  await sendButton(page).click()
  await page.getByText('whoever has the channel open sees it').waitFor()
  await page.getByText('What others changed meanwhile is shown now.').waitFor()
  await row(page, 'Two').waitFor()
  expect(await page.getByLabel('Content').inputValue()).toBe('Weekly import')
  expect(await sendButton(page).isDisabled()).toBe(true)
  const [changed] = await cardsOf(channel)
  expect(changed).toMatchObject({ blocks: [{ content: 'Weekly import' }, { label: 'Two' }] })
})

test('a card that is gone says so, and what was made of it is posted as a new one', async () => {
  const channel = await newChannel('Gone')
  const { id } = await api.push(channel, [text('Before', 'title')])
  const { page } = await open(`?channel=${channel}&card=${id}`)
  await openRow(page, 'Before')
  await page.getByLabel('Content').fill('After')
  await api.remove(channel, id)
  await sendButton(page).click()
  await page.getByText('Card not found').waitFor()
  await page.getByRole('button', { name: 'Post it as a new card' }).click()
  await page.getByText('the card is in the channel').waitFor()
  expect(await cardsOf(channel)).toMatchObject([{ blocks: [{ content: 'After' }] }])

  await openBuilder(page, server, `?channel=${channel}&card=${id}`)
  await page.getByText('Card not found').waitFor()
})

test('a channel that is gone is not silently another one', async () => {
  const channel = await newChannel('Short-lived')
  await api.deleteChannel(channel)
  const { page } = await open(`?channel=${channel}`)
  await page.getByText('The chosen channel is gone, or not yours').waitFor()
})

test('what no PATCH can do is explained, and can be sent by its key', async () => {
  const channel = await newChannel('By key')
  await session('PUT', `/channels/${channel}/cards/by-key/nightly`, {
    blocks: [text('Before', 'a'), { type: 'divider', id: 'line' }],
  })
  const [{ id } = { id: '' }] = await cardsOf(channel)
  const { page } = await open(`?channel=${channel}&card=${id}`)
  await row(page, 'Divider').waitFor()
  await page.getByRole('button', { name: 'Delete Divider' }).click()
  await page.getByText('The divider block “line” was removed.').waitFor()
  expect(await sendButton(page).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Replace it by its key “nightly”' }).click()
  await page.getByText('the card has its new blocks').waitFor()
  const after = await cardsOf(channel)
  expect(after).toHaveLength(1)
  expect(after[0]).toMatchObject({ id, blocks: [{ id: 'a' }] })
})

test('a block is moved and deleted by keyboard, and everything can be taken back', async () => {
  const { page } = await open()
  await takeExample(page, 'Alert')
  const names = () => page.locator('.row-words').allTextContents()
  const before = await names()
  await page.getByRole('button', { name: 'Move Buttons, 4 of 4' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.locator('.grip:focus[aria-label="Move Buttons, 3 of 4"]').waitFor()
  await page.getByText('Buttons is now 3 of 4.').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Delete Key and value rows' }).focus()
  await page.keyboard.press('Enter')
  expect(await names()).toEqual([before[0], before[1], before[3]])
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.keyboard.press('ControlOrMeta+z')
  expect(await names()).toEqual(before)
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('An empty card').waitFor()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  expect(await names()).toEqual(before)
})

test('a block is dragged to another place', async () => {
  const { page } = await open()
  await takeExample(page, 'Alert')
  const grip = page.locator('.grip').first()
  const from = await grip.boundingBox()
  const last = await page.locator('.block-row').last().boundingBox()
  if (!from || !last) throw new Error('the rows are on the screen')
  await page.mouse.move(from.x + 8, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, from.y + 60, { steps: 4 })
  await page.mouse.move(from.x + 8, last.y + last.height, { steps: 4 })
  await page.mouse.up()
  await page.locator('.block-row').last().getByText('Error rate above 2 %').waitFor()
})

test('a reload keeps the draft and where it goes; signing out forgets it', async () => {
  const channel = await newChannel('Kept')
  const { page } = await open(`?channel=${channel}`)
  await addBlock(page, 'Text')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Not sent yet')
  await openBuilder(page, server)
  await row(page, 'Not sent yet').waitFor()
  await page
    .locator('select')
    .first()
    .locator('option:checked', { hasText: 'Kept' })
    .waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Create an account' }).waitFor()
  await signIn(page, server)
  await openBuilder(page, server)
  await page.getByText('An empty card').waitFor()
})

test('a link holds a copy of the card', async () => {
  const { page } = await open('', { permissions: ['clipboard-read', 'clipboard-write'] })
  await takeExample(page, 'Poll')
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('is copied').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  const other = (await visit(browser)).page
  await signIn(other, server)
  await other.goto(link)
  await preview(other).getByText('Lunch on Friday?').waitFor()
  expect(new URL(other.url()).hash).toBe('')
})

test('on a phone the panes stand behind tabs, and a card is composed and sent', async () => {
  const channel = await newChannel('By phone')
  const { page } = await open(`?channel=${channel}`, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Blocks', 'Preview', 'JSON', 'Code'])
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
  expect(await cardsOf(channel)).toHaveLength(1)
})

test('without a network a card is composed and kept, and sending says why it cannot', async () => {
  const channel = await newChannel('Offline')
  const { page } = await open(`?channel=${channel}`)
  await keptForOffline(page)
  await page.context().setOffline(true)
  await page.reload()
  await addBlock(page, 'Text')
  await pane(page, 'JSON')
  await editor(page).waitFor()
  await preview(page).getByText('Backup finished').waitFor()
  await sendButton(page).click()
  await page.getByText('The server cannot be reached').last().waitFor()
  await page.context().setOffline(false)
  await page.getByText('You are offline').first().waitFor({ state: 'detached' })
  await sendButton(page).click()
  await page.getByText('the card is in the channel').waitFor()
  expect(await cardsOf(channel)).toHaveLength(1)
})

test('a used-up limit is told in the API’s words', async () => {
  const channel = await newChannel('Full')
  const { page } = await open(`?channel=${channel}`)
  await takeExample(page, 'Alert')
  const filled = async (): Promise<void> => api.push(channel, [text('One more')]).then(filled, () => {})
  await filled()
  await sendButton(page).click()
  await page.getByText('Daily card limit reached').waitFor()
})
