// The card builder: an unsent card is saved by its tab and shared as a link, and an existing card is chosen.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import {
  addBlock,
  newChannel,
  open,
  openBuilder,
  openNewChannel,
  preview,
  row,
  takeExample,
} from './support/builder.ts'
import { makeGate } from './support/requests.ts'
import { api, server, setStage, signedIn } from './support/stage.ts'
import { signIn } from './support/visit.ts'

setStage()

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
  await signIn(page, server.url, server.owner)
  await openBuilder(page, server)
  await page.getByText('This card is empty').waitFor()
})

test('a link holds a copy of the card: it opens in another window, and in an open builder more than once', async () => {
  const { page } = await open('', CLIPBOARD)
  await takeExample(page, 'Poll')
  const link = await copyLink(page)
  const { page: other } = await signedIn()
  await other.goto(link)
  await preview(other).getByText('Lunch on Friday?').waitFor()
  expect(new URL(other.url()).hash).toBe('')
  for (let i = 0; i < 2; i++) {
    await takeExample(page, 'Alert')
    await page.goto(link)
    await preview(page).getByText('Lunch on Friday?').waitFor()
    await page.getByText('Card loaded from the link.').waitFor()
    expect(new URL(page.url()).hash).toBe('')
  }
  // Undo brings back the card from before.
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click()
  await preview(page).getByText('Error rate above 2 %').waitFor()
})

test('a link that was cut off shows an error and keeps the card', async () => {
  const { page } = await open('', CLIPBOARD)
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

test('the listed cards are those of the chosen channel, even if another response arrives last', async () => {
  const slow = await newChannel('Responds late')
  const chosen = await newChannel('Responds at once')
  const { page } = await open()
  const response = makeGate()
  await page.route(`**/api/channels/${slow}/cards?*`, route => response.opened.then(() => route.continue()))
  await api.push(slow, [text('Of the other channel')])
  await api.push(chosen, [text('Of this channel')])
  await page.getByLabel('Channel', { exact: true }).selectOption(slow)
  await page.getByLabel('Channel', { exact: true }).selectOption(chosen)
  const offered = page.getByLabel('Card', { exact: true }).locator('option')
  await offered.filter({ hasText: 'Of this channel' }).waitFor({ state: 'attached' })
  const late = page.waitForResponse(response => response.url().includes(slow))
  response.open()
  await (await late).finished()
  await page.evaluate(() => new Promise(resolve => setTimeout(resolve)))
  await expect.poll(() => offered.filter({ hasText: 'Of the other channel' }).count()).toBe(0)
  await expect.poll(() => offered.filter({ hasText: 'Of this channel' }).count()).toBe(1)
})

test('a chosen card is loaded as it is now, not as it was in the list', async () => {
  const channel = await newChannel('Moving on')
  const { id } = await api.push(channel, [text('Step 1')])
  const { page } = await open(`?channel=${channel}`)
  const choice = page.getByLabel('Card', { exact: true })
  await choice.locator('option', { hasText: 'Step 1' }).waitFor({ state: 'attached' })
  await api.patch(channel, id, { blocks: [{ id: 'text', patch: { content: 'Step 2' } }] })
  await choice.selectOption(id)
  await row(page, 'Step 2').waitFor()
  await expect.poll(() => choice.inputValue()).toBe(id)

  // A card that was deleted since is not chosen.
  const gone = await api.push(channel, [text('Step 3')])
  await openBuilder(page, server, `?channel=${channel}`)
  await choice.locator('option', { hasText: 'Step 3' }).waitFor({ state: 'attached' })
  await api.remove(channel, gone.id)
  await choice.selectOption(gone.id)
  await page.getByText('This card was deleted').waitFor()
  await expect.poll(() => choice.inputValue()).toBe(id)
})
