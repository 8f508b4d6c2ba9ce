// Choosing an existing card in the card builder.
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { newChannel, open, openBuilder, row, stageBuilder } from './support/builder.ts'
import { makeGate } from './support/requests.ts'
import { api, server } from './support/stage.ts'

stageBuilder({ DAILY_CARD_LIMIT: '25' })

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
  await page.getByText('Card not found').waitFor()
  await expect.poll(() => choice.inputValue()).toBe(id)
})
