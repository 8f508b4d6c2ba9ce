// The card builder: composing a card as blocks and as JSON, its preview, and its errors.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import {
  addBlock,
  cardsOf,
  editor,
  open,
  openExample,
  openNewChannel,
  openRow,
  pane,
  preview,
  readJson,
  row,
  sendButton,
  takeExample,
  writeJson,
} from './support/builder.ts'
import { boxOf } from './support/page.ts'
import { setStage } from './support/stage.ts'

setStage()

test('the preview can be tried and sends nothing', async () => {
  const { channel, page } = await openNewChannel('Tried')
  const posted: string[] = []
  page.on('request', request => request.method() !== 'GET' && posted.push(request.url()))
  await takeExample(page, 'Form')
  const stage = preview(page)
  await stage.getByRole('button', { name: 'Open the incident' }).click()
  await stage.getByText('Fill this in, then choose').first().waitFor()
  await stage.getByLabel('What happened').fill('The shop is closed')
  await stage.getByLabel('Severity').selectOption('Some are affected')
  await stage.getByRole('button', { name: 'Open the incident' }).click()
  const interaction = page.getByRole('region', { name: 'What would be sent', exact: true })
  await interaction.getByText('nothing was sent').waitFor()
  const json = (await interaction.textContent()) ?? ''
  for (const part of ['"button_id": "open"', '"value": "The shop is closed"', '"value": "2"'])
    expect(json).toContain(part)
  expect(posted).toEqual([])
  expect(await cardsOf(channel)).toEqual([])
})

test('the preview shows the card in light and dark, whatever theme the app has', async () => {
  const page = await openExample('Alert')
  const background = () => preview(page).evaluate(stage => getComputedStyle(stage).backgroundColor)
  const light = await background()
  await page.getByText('Dark', { exact: true }).click()
  await page.getByText('Phone', { exact: true }).click()
  const dark = await background()
  expect(dark).not.toBe(light)
  await page.getByRole('button', { name: /^Theme: as the system/ }).click()
  await page.getByRole('button', { name: /^Theme: light/ }).click()
  await page.getByText('Same as app').click()
  await expect.poll(background).toBe(dark)
  await page.getByText('Light', { exact: true }).click()
  await expect.poll(background).toBe(light)
})

test('a problem leads to its line in the API’s words and to its field in people’s, and the card can’t be sent', async () => {
  const { page } = await open()
  const blocks = [{ type: 'divider' }, { type: 'badge', label: '' }]
  await writeJson(page, JSON.stringify({ blocks }, null, 2))
  await page.getByText('line 8, column 16').waitFor()
  await expect.poll(() => sendButton(page).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'blocks[1].label is required' }).click()
  await page.locator('.cm-focused').waitFor()
  await pane(page, 'Blocks')
  await page.getByRole('button', { name: 'Badge, block 2: Enter a label', exact: true }).click()
  await page.locator('input:focus[aria-invalid="true"]').waitFor()
  await page.locator('.form-error', { hasText: 'Enter a label' }).waitFor()
  await page.keyboard.type('Fine')
  await page.locator('.problem-text').waitFor({ state: 'detached' })
})

test('malformed JSON shows where, disables the blocks, and can be restored', async () => {
  const page = await openExample('Alert')
  await writeJson(page, '{\n  "blocks": [\n    { "type": "text" "content": "One" }\n  ]\n}')
  await page.getByText('A comma or } is expected here').waitFor()
  await page.getByText('line 3, column 22').waitFor()
  await pane(page, 'Blocks')
  await page.getByText('the blocks can’t be edited').waitFor()
  await preview(page).getByText('Error rate above 2 %').waitFor()
  const old = page.getByText('This is the last valid card')
  await old.waitFor()
  await page.getByRole('button', { name: 'restore the last valid JSON' }).click()
  await row(page, 'Error rate above 2 %').waitFor()
  await expect.poll(() => old.count()).toBe(0)
  await expect.poll(() => page.locator('.problem-text').count()).toBe(0)
})

test('the JSON and the blocks edit the same card', async () => {
  const { page } = await open()
  await writeJson(page, '{"blocks":[{"type":"text","id":"a","content":"From JSON"}]}')
  await preview(page).getByText('From JSON').waitFor()
  await page.getByRole('button', { name: 'Format' }).click()
  await page.locator('.cm-line').nth(2).waitFor()
  await pane(page, 'Blocks')
  await openRow(page, 'From JSON')
  await page.getByLabel('Content').fill('From the form')
  await page.getByLabel('Size').selectOption('Extra large')
  const block = { ...text('From the form', 'a'), size: 'xl' }
  expect(await readJson(page)).toEqual({ blocks: [block] })
  await editor(page).press('ControlOrMeta+z')
  await editor(page).press('ControlOrMeta+z')
  await preview(page).getByText('From JSON').waitFor()
})

test('blocks are moved and deleted by keyboard, and everything can be undone', async () => {
  const page = await openExample('Alert')
  const names = () => page.locator('.row-summary').allTextContents()
  const before = await names()
  await page.getByRole('button', { name: 'Move Buttons, 4 of 4' }).focus()
  await page.keyboard.press('ArrowUp')
  await page.locator('.grip:focus[aria-label="Move Buttons, 3 of 4"]').waitFor()
  await page.getByText('Buttons: 3 of 4').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Delete Key and value rows' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(names).toEqual([before[0], before[1], before[3]])
  await page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(names).toEqual(before)
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('This card is empty').waitFor()
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(names).toEqual(before)
})

test('a block is dragged to a position below the window', async () => {
  const { page } = await open('', { viewport: { width: 1200, height: 600 } })
  const blocks = Array.from({ length: 40 }, (_, i) => ({ type: 'text', content: `Row ${i + 1}` }))
  await writeJson(page, JSON.stringify({ blocks }))
  await pane(page, 'Blocks')
  const from = await boxOf(page.locator('.grip').first())
  await page.mouse.move(from.x + 8, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(from.x + 8, 500, { steps: 4 })
  // It stays below the pointer while the page scrolls, by the wheel or at the edge.
  await page.mouse.wheel(0, 300)
  const distance = async () => {
    const { y, height } = await boxOf(page.locator('.row-dragged'))
    return Math.abs(y + height / 2 - 500)
  }
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(300)
  await expect.poll(distance).toBeLessThan(20)
  await page.mouse.move(from.x + 8, 590, { steps: 2 })
  const last = page.locator('.block-row').last()
  await expect.poll(async () => ((await last.boundingBox())?.y ?? 9_999) < 560).toBe(true)
  await page.mouse.up()
  await last.getByText('Row 1', { exact: true }).waitFor()
})

test('an added button takes the focus on its own label', async () => {
  const { page } = await open()
  await addBlock(page, 'Buttons')
  await page.getByRole('button', { name: 'Add a button' }).click()
  await page.keyboard.type('Later')
  await preview(page).getByRole('button', { name: 'Later' }).waitFor()
  await preview(page).getByRole('button', { name: 'Reject' }).waitFor()
  await pane(page, 'JSON')
  await expect.poll(() => editor(page).innerText()).toContain('"id": "reject"')
})

test('a renamed option stays chosen', async () => {
  const { page } = await open()
  const options = ['Low', 'Option 2']
  const blocks = [
    { type: 'select', id: 'one', label: 'One', options, value: 'Low' },
    { type: 'multiselect', id: 'many', label: 'Many', options, value: options },
  ]
  await writeJson(page, JSON.stringify({ blocks }))
  for (const name of ['One', 'Many']) {
    await pane(page, 'Blocks')
    await openRow(page, name)
    await page.getByLabel('Label of option 2').click()
    await page.keyboard.press('ControlOrMeta+a')
    // While it is typed, the name equals the other option's for a moment.
    await page.keyboard.type('Low tide')
  }
  await page.getByLabel('Label of option 1').click()
  await page.keyboard.type('er')
  const many = ['Lower', 'Low tide']
  const renamed = [
    { ...blocks[0], options: ['Low', 'Low tide'] },
    { ...blocks[1], options: many, value: many },
  ]
  expect(await readJson(page)).toEqual({ blocks: renamed })
})

test('the offered undo disappears with the next change', async () => {
  const page = await openExample('Alert')
  await page.getByRole('button', { name: 'Delete Buttons' }).click()
  await page.getByText('Deleted: Buttons.').waitFor()
  await openRow(page, 'Checkout in')
  await page.getByLabel('Content').fill('Written since')
  await preview(page).getByText('Written since').waitFor()
  await expect.poll(() => page.getByText('Deleted: Buttons.').count()).toBe(0)
})

test('text typed into the preview is not part of the history', async () => {
  const { page } = await open()
  await writeJson(page, '{ "blocks": [{ "type": "input", "label": "E-mail", "input_type": "email" }] }')
  await pane(page, 'Blocks')
  await page.getByRole('button', { name: 'Duplicate Input' }).click()
  await preview(page).getByLabel('E-mail').first().fill('ann@example.com')
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => page.locator('.block-row').count()).toBe(2)
  await page.getByRole('button', { name: 'Duplicate Input' }).first().focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect.poll(() => page.locator('.block-row').count()).toBe(1)
})

test('Control and Z undo on a keyboard of any script', async () => {
  const { page } = await open()
  await addBlock(page, 'Divider')
  await page.evaluate(() => {
    const cyrillic = { key: 'я', code: 'KeyZ', ctrlKey: true, bubbles: true, cancelable: true }
    document.body.dispatchEvent(new KeyboardEvent('keydown', cyrillic))
  })
  await page.getByText('This card is empty').waitFor()
})
