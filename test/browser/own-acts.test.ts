// What the viewer did is no news to the viewer: neither above the reader, nor after an absence, nor in another tab.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { pushMany, question, text } from './support/api.ts'
import { openBuilder, takeExample } from './support/builder.ts'
import { boxOf } from './support/page.ts'
import { api, createChannel, opened, server, session, setStage } from './support/stage.ts'
import { card, scrollFeed } from './support/visit.ts'

setStage()

const newLine = (page: Page) => page.getByText('new since you left')
const pill = (page: Page) => page.getByRole('button', { name: /new cards?$/ })
const ASKED = [text('Roll out?'), question({}, 'Approve', 'Reject')]

/** The person looks at another tab, and comes back. */
async function lookAway(page: Page, away: boolean): Promise<void> {
  await page.evaluate(away => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (away ? 'hidden' : 'visible'),
    })
    document.dispatchEvent(new Event('visibilitychange'))
  }, away)
}

test('a card that the viewer decided in a filtered feed is not new in the whole feed', async () => {
  const { id } = await createChannel({}, text('Seen before'))
  const { page } = await opened(id)
  await card(page, 'Seen before').waitFor()
  await page.goto('about:blank')
  await api.push(id, ASKED)
  await page.goto(`${server.url}/c/${id}?show=you`)
  await page.getByRole('button', { name: 'Approve' }).click()
  await card(page, 'You chose Approve').waitFor()
  await lookAway(page, true)
  await lookAway(page, false)
  await page.getByRole('button', { name: 'All', exact: true }).click()
  await card(page, 'Seen before').waitFor()
  expect(await newLine(page).count()).toBe(0)
})

test('a card that the owner decided on another device is not new in an open tab', async () => {
  const { id } = await createChannel({}, text('Seen before'))
  const { page } = await opened(id)
  await card(page, 'Seen before').waitFor()
  await lookAway(page, true)
  const { id: card_id } = await api.push(id, ASKED)
  await api.push(id, [text('From an automation')])
  await session('POST', `/channels/${id}/interactions`, {
    card_id,
    trigger: { type: 'button_click', button_id: 'approve' },
  })
  await card(page, 'You chose Approve').waitFor()
  await lookAway(page, false)
  await page.getByText('1 new since you left').waitFor()
})

test('a card that the viewer sent from the builder is not new in the tab of its channel', async () => {
  const { id } = await createChannel({}, text('Seen before'))
  const { page } = await opened(id)
  await card(page, 'Seen before').waitFor()
  await lookAway(page, true)
  const builder = await page.context().newPage()
  await openBuilder(builder, server, `?channel=${id}`)
  await takeExample(builder, 'Deploy approval')
  await builder.getByRole('button', { name: 'Send to channel' }).click()
  await expect.poll(() => page.getByRole('article').count()).toBe(2)
  await lookAway(page, false)
  await expect.poll(() => newLine(page).count()).toBe(0)
})

test('a new card is no longer counted once the reader has scrolled to it', async () => {
  const { id } = await api.createChannel('Many')
  await pushMany(api, id, 30)
  const { page } = await opened(id)
  await scrollFeed(page, 400)
  await api.push(id, [text('First news')])
  await pill(page).getByText('1 new card').waitFor()
  await api.push(id, ASKED)
  await pill(page).getByText('2 new cards').waitFor()
  const feed = page.locator('.feed-scroller')
  // The list corrects the position while it measures cards.
  const scrollNearTop = async () => {
    await feed.evaluate(feed => feed.scrollTo({ top: 40, behavior: 'instant' }))
    return pill(page).count()
  }
  await expect.poll(scrollNearTop).toBe(0)
  expect(await feed.evaluate(feed => feed.scrollTop)).toBeGreaterThan(24)
})

test.each([320, 390, 1_000])('at %i px the button of new cards covers no card', async width => {
  const { id } = await api.createChannel('Many')
  await pushMany(api, id, 30)
  const { page } = await opened(id, { viewport: { width, height: 700 } })
  await scrollFeed(page, 400)
  await api.push(id, [text('News')])
  await pill(page).waitFor()
  const bar = await boxOf(page.locator('.feed-bar'))
  const button = await boxOf(pill(page))
  await expect.poll(async () => (await boxOf(pill(page))).y).toBeGreaterThanOrEqual(bar.y)
  expect(button.y + button.height).toBeLessThanOrEqual(bar.y + bar.height)
  await pill(page).click()
  await card(page, 'News').waitFor()
})
