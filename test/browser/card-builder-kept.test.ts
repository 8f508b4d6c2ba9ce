// The card builder: an unsent card is saved by its tab, and shared as a link.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  addBlock,
  open,
  openBuilder,
  openExample,
  openNewChannel,
  preview,
  row,
  stageBuilder,
  takeExample,
} from './support/builder.ts'
import { server, signedIn } from './support/stage.ts'
import { signIn } from './support/visit.ts'

stageBuilder()

const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

/** A link to the unsent card. */
async function copyLink(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Copy link' }).click()
  await page.getByText('Link copied').waitFor()
  return page.evaluate(() => navigator.clipboard.readText())
}

test('a reload keeps the unsent card and its channel; signing out deletes it', async () => {
  const { page } = await openNewChannel('Kept')
  await addBlock(page, 'Text')
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('Not sent yet')
  await openBuilder(page, server)
  await row(page, 'Not sent yet').waitFor()
  const chosen = page.locator('select').first().locator('option:checked', { hasText: 'Kept' })
  await chosen.waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Create an account' }).waitFor()
  await signIn(page, server)
  await openBuilder(page, server)
  await page.getByText('This card is empty').waitFor()
})

test('a link holds a copy of the card', async () => {
  const page = await openExample('Poll', CLIPBOARD)
  const link = await copyLink(page)
  const { page: other } = await signedIn()
  await other.goto(link)
  await preview(other).getByText('Lunch on Friday?').waitFor()
  expect(new URL(other.url()).hash).toBe('')
})

test('a link opens in a builder that is already open, more than once', async () => {
  const { page, faults } = await open('', CLIPBOARD)
  await takeExample(page, 'Poll')
  const link = await copyLink(page)
  for (let i = 0; i < 2; i++) {
    await takeExample(page, 'Alert')
    await page.goto(link)
    await preview(page).getByText('Lunch on Friday?').waitFor()
    await page.getByText('This card came with the link.').waitFor()
    expect(new URL(page.url()).hash).toBe('')
  }
  // Undo brings back the card from before.
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await preview(page).getByText('Error rate above 2 %').waitFor()
  expect(faults).toEqual([])
})

test('a link that was cut off shows an error and keeps the card', async () => {
  const { page, faults } = await open('', CLIPBOARD)
  await takeExample(page, 'Poll')
  const link = await copyLink(page)
  await takeExample(page, 'Alert')
  for (const broken of [link.slice(0, -20), `${link.slice(0, 60)}%`]) {
    await openBuilder(page, server)
    await page.goto(broken)
    await page.getByText('The card in the link can’t be read').waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await row(page, 'Error rate above 2 %').waitFor()
  }
  expect(faults).toEqual([])
})

test('two tabs keep two cards, and a new tab starts with the one that was saved last', async () => {
  const { page } = await open()
  const other = await page.context().newPage()
  await openBuilder(other, server)
  await takeExample(page, 'Alert')
  await takeExample(other, 'Poll')
  await preview(other).getByText('Lunch on Friday?').waitFor()
  await page.reload()
  await row(page, 'Error rate above 2 %').waitFor()
  await page.getByRole('link', { name: 'Usage' }).click()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await other.getByRole('button', { name: 'Delete Toggle' }).click()
  await page.goBack()
  await row(page, 'Error rate above 2 %').waitFor()
  await other.reload()
  await row(other, 'Lunch on Friday?').waitFor()
  await expect.poll(() => other.locator('.block-row').count()).toBe(2)
})
