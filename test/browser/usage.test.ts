// The usage charts, read by pointer, by keyboard and as a table.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { UsageDay } from '../../shared/usage.ts'
import { text } from './support/api.ts'
import { boxOf, expectFocus, press } from './support/page.ts'
import { makeUser, readLog } from './support/session.ts'
import { api, hooks, open, server, session, setStage, signedIn } from './support/stage.ts'

setStage({ DAILY_CARD_LIMIT: '1000' })

const chart = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const DAY_MS = 86_400_000

/** Thirty days that end on a Saturday. */
const days: UsageDay[] = Array.from({ length: 30 }, (_, i) => ({
  day: new Date(Date.parse('2026-01-31') - (29 - i) * DAY_MS).toISOString().slice(0, 10),
  cards: 1_000 + i,
  channels: 0,
  interactions: 0,
  delivered: i * 2,
  failed: i === 28 ? 1 : 0,
}))

async function openWith(history: UsageDay[]) {
  const { page } = await signedIn({ locale: 'en-US', timezoneId: 'America/Los_Angeles' })
  await page.route('**/api/usage/history*', route => route.fulfill({ json: { days: history, channels: [] } }))
  await page.goto(`${server.url}/dashboard/usage`)
  await chart(page, 'Cards pushed').waitFor()
  return { page }
}

test('the charts and the daily limits count today’s events, and a refresh updates them', async () => {
  const { id } = await api.createChannel('Counted', hooks.at('/counted'))
  await api.push(id, [text('One')])
  hooks.behave((_, nth) => ({ kind: 'answer', status: nth === 1 ? 500 : 204 }))
  const trigger = { type: 'reply', text: 'Hello' }
  for (let i = 0; i < 3; i++) await session('POST', `/channels/${id}/interactions`, { trigger })
  await expect
    .poll(async () => (await readLog(session, id)).map(({ deliveries }) => deliveries[0]?.status).sort())
    .toEqual(['failed', 'success', 'success'])

  const { page } = await open('/dashboard/usage')
  await chart(page, 'Cards pushed').getByText('1 card', { exact: true }).first().waitFor()
  await chart(page, 'Interactions').getByText('3 interactions').first().waitFor()
  await chart(page, 'Webhook deliveries').getByText('2 delivered').first().waitFor()
  await chart(page, 'Webhook deliveries').getByText('1 failed').first().waitFor()
  await api.push(id, [text('Two')])
  await press(page, 'Refresh')
  await chart(page, 'Cards pushed').getByText('2 cards').first().waitFor()
  await page.getByRole('listitem').filter({ hasText: 'Cards pushed today' }).getByText('2 of 1,000').waitFor()
})

test('a limit of data is shown as reached when it is all but used up', async () => {
  const { page } = await signedIn()
  const some = { used: 1, limit: 1_000 }
  const bytes = { used: 268_435_000, limit: 268_435_456 }
  const json = { cards: some, channels: some, bytes, workspaces: some, resets_at: '2026-02-01T00:00:00.000Z' }
  await page.route('**/api/usage', route => route.fulfill({ json }))
  await page.goto(`${server.url}/dashboard/usage`)
  const meter = page.getByRole('listitem').filter({ hasText: 'Data added today' })
  await meter.getByText('Limit reached').waitFor()
  expect(await page.getByText('Limit reached').count()).toBe(1)
})

test('the arrow keys select a day on all charts, described for screen readers', async () => {
  const { page } = await openWith(days)
  const slider = page.getByRole('slider', { name: 'Webhook deliveries' })
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Sat, Jan 31: 58 delivered, 0 failed')
  await page.getByRole('radio', { name: '30 days' }).focus()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await expectFocus(slider)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => slider.getAttribute('aria-valuetext')).toBe('Fri, Jan 30: 56 delivered, 1 failed')
  await chart(page, 'Cards pushed').getByText('Fri, Jan 30').waitFor()
  await chart(page, 'Cards pushed').getByText('1,028 cards').waitFor()
  await page.keyboard.press('Home')
  await chart(page, 'Cards pushed').getByText('Fri, Jan 2').waitFor()
  await page.keyboard.press('Tab')
  await chart(page, 'Cards pushed').getByText('1,029 cards').waitFor()
})

test('pointing at a day shows its numbers, and leaving shows today’s', async () => {
  const { page } = await openWith(days)
  const plot = chart(page, 'Cards pushed').locator('svg')
  const column = (await boxOf(plot)).width / 30
  await plot.hover({ position: { x: column * 28.5, y: 20 } })
  await chart(page, 'Cards pushed').getByText('Fri, Jan 30').waitFor()
  await chart(page, 'Webhook deliveries').getByText('1 failed').nth(1).waitFor()
  await plot.hover({ position: { x: 1, y: 20 } })
  await chart(page, 'Cards pushed').getByText('1,000 cards').waitFor()
  await page.getByRole('heading', { name: 'Usage', exact: true }).hover()
  await chart(page, 'Cards pushed').getByText('1,029 cards').waitFor()
})

test('the table lists all numbers, and an empty chart says so', async () => {
  const { page } = await openWith(days)
  await chart(page, 'Interactions').getByText('None in the last 30 days.').waitFor()
  await expect.poll(() => page.getByRole('slider', { name: 'Interactions' }).count()).toBe(0)
  await chart(page, 'Cards pushed').getByText('30,435 cards').waitFor()
  await press(page, 'Show as a table')
  // It stands in the place of the charts.
  await chart(page, 'Cards pushed').waitFor({ state: 'detached' })
  const rows = page.getByRole('row')
  await expect.poll(() => rows.count()).toBe(32)
  const cells = async (row: number) => (await rows.nth(row).getByRole('cell').allTextContents()).join(' ')
  await expect.poll(() => rows.nth(2).getByRole('rowheader').textContent()).toBe('Fri, Jan 30')
  await expect.poll(() => cells(2)).toBe('1,028 0 0 56 1')
  await expect.poll(() => cells(31)).toBe('30,435 0 0 870 1')
})

test('the span is chosen, and the busiest channels are listed', async () => {
  const { id } = await api.createChannel('Busy one')
  const trigger = { type: 'reply', text: 'Hello' }
  for (let i = 0; i < 4; i++) await session('POST', `/channels/${id}/interactions`, { trigger })
  const { page } = await open('/dashboard/usage')
  const busiest = page.getByRole('region', { name: 'Busiest channels' })
  await busiest.getByRole('row', { name: /Busy one 4 0 0/ }).waitFor()
  await page.getByRole('radio', { name: '7 days' }).check()
  await page.getByRole('heading', { name: 'The last 7 days' }).waitFor()
  await page.getByText('Show as a table').click()
  await expect.poll(() => page.getByRole('row').filter({ hasText: /, / }).count()).toBe(7)
  await busiest.getByRole('row', { name: /Busy one 4 0 0/ }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'The last 7 days' }).waitFor()
})

test('right to left, the charts still run from left to right', async () => {
  const { page } = await openWith(days)
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const ends = chart(page, 'Cards pushed').locator('.chart-ends span')
  const [first, last] = [await boxOf(ends.first()), await boxOf(ends.last())]
  expect(first.x).toBeLessThan(last.x)
})

test('an account without activity sees an empty state', async () => {
  const { page } = await signedIn({}, await makeUser(server))
  await page.goto(`${server.url}/dashboard/usage`)
  await page.getByRole('heading', { name: 'No activity in the last 30 days' }).waitFor()
})

test('the limits stay visible when the charts fail to load', async () => {
  const { page } = await signedIn()
  await page.route('**/api/usage/history*', route => route.abort())
  await page.goto(`${server.url}/dashboard/usage`)
  await page.getByRole('listitem').filter({ hasText: 'Workspaces' }).getByText('no limit').waitFor()
  await page.getByRole('alert').getByText('The server can’t be reached').waitFor()
  await page.unroute('**/api/usage/history*')
  await press(page, 'Try again')
  await chart(page, 'Cards pushed').waitFor()
})
