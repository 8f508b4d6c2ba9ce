// The card builder: the buttons, options and rows of a block, one to a line.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { kv } from './support/api.ts'
import { addBlock, open, openRow, pane, readJson, writeJson } from './support/builder.ts'
import { boxOf } from './support/page.ts'
import { setStage } from './support/stage.ts'
import { PHONE } from './support/visit.ts'

setStage()

const rowOf = (page: Page, label: string) =>
  page.locator('.list-row', { has: page.getByRole('button', { name: `Delete ${label}`, exact: true }) })
const more = (page: Page, label: string) => page.getByRole('button', { name: `More about “${label}”` })

test('a button is one line, which says what it hides and opens it in place', async () => {
  const { page } = await open('')
  await addBlock(page, 'Buttons')
  const reject = rowOf(page, '“Reject”')
  await reject.getByText('Asks “Reject this?”').waitFor()
  expect((await boxOf(rowOf(page, '“Approve”'))).height).toBeLessThan(48)
  expect(await page.getByLabel('Button id').count()).toBe(0)
  await page.getByLabel('Style of button 1').selectOption('Secondary')

  await more(page, 'Reject').focus()
  await page.keyboard.press('Enter')
  expect(await more(page, 'Reject').getAttribute('aria-expanded')).toBe('true')
  await reject.getByLabel('Button id').fill('no')
  await reject.getByLabel('Confirmation question').fill('')
  await reject.getByLabel('Disabled').check()
  await more(page, 'Reject').click()
  await reject.getByText('Disabled', { exact: true }).waitFor()
  expect(await readJson(page)).toMatchObject({
    blocks: [{ buttons: [{ style: 'secondary' }, { id: 'no', disabled: true }] }],
  })
})

test('lines of every list are moved by the keyboard and by dragging', async () => {
  const { page } = await open('')
  const blocks = [
    { type: 'button', id: 'b', buttons: ['One', 'Two', 'Three'].map(label => ({ label })) },
    { type: 'select', id: 's', label: 'Place', options: ['North', 'South', 'East'] },
    kv([1, 2, 3].map(n => ({ key: `Key ${n}`, value: '' }))),
  ]
  await writeJson(page, JSON.stringify({ blocks }))
  await pane(page, 'Blocks')
  for (const block of ['Buttons', 'Select', 'Key and value']) {
    await openRow(page, block)
    await page.locator('.list-row .grip').last().focus()
    await page.keyboard.press('Home')
    await expect.poll(() => page.locator('.grip:focus').getAttribute('aria-label')).toContain('1 of 3')
    const from = await boxOf(page.locator('.list-row .grip').first())
    const to = await boxOf(page.locator('.list-row').nth(1))
    await page.mouse.move(from.x + 8, from.y + 10)
    await page.mouse.down()
    await page.mouse.move(from.x + 8, to.y + to.height, { steps: 4 })
    await page.mouse.up()
  }
  expect(await readJson(page)).toMatchObject({
    blocks: [
      { buttons: [{ label: 'One' }, { label: 'Three' }, { label: 'Two' }] },
      { options: ['North', 'East', 'South'] },
      { rows: [{ key: 'Key 1' }, { key: 'Key 3' }, { key: 'Key 2' }] },
    ],
  })
})

test('an error behind the line of a button opens it, and solving it doesn’t close it', async () => {
  const { page } = await open('', PHONE)
  const buttons = [
    { id: 'yes', label: 'Yes' },
    { id: 'yes', label: 'No' },
  ]
  await writeJson(page, JSON.stringify({ blocks: [{ type: 'button', buttons }] }))
  await pane(page, 'Blocks')
  await page.locator('.problem').click()
  const id = rowOf(page, '“No”').getByLabel('Button id')
  await expect.poll(() => id.evaluate(input => input === document.activeElement)).toBe(true)
  await page.keyboard.type('2')
  await page.locator('.problem').waitFor({ state: 'detached' })
  expect(await id.inputValue()).toBe('yes2')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
})

test('a question loses its approving button when that is deleted', async () => {
  const { page } = await open('')
  await addBlock(page, 'Question')
  await openRow(page, 'Buttons')
  await page.getByRole('button', { name: 'Delete “Approve”' }).click()
  const approves = page.getByLabel('Button that approves')
  await expect.poll(() => approves.locator('option:checked').textContent()).toBe('None of them')
  const card = await readJson(page)
  expect(card).toMatchObject({ blocks: [{}, { buttons: [{ id: 'reject' }] }] })
  expect(JSON.stringify(card)).toContain('"decision":{}')
})

test('a deleted line hands the focus to the next one', async () => {
  const { page } = await open('')
  await addBlock(page, 'Buttons')
  await page.getByRole('button', { name: 'Delete “Approve”' }).click()
  await expect.poll(() => page.locator('input:focus').inputValue()).toBe('Reject')
  await page.getByRole('button', { name: 'Delete “Reject”' }).click()
  await page.locator('.add-line:focus').waitFor()
})
