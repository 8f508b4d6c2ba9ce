// Interactions above the server's limit: they wait as long as it asks, even across reloads, and are sent in order.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { goOffline, reply } from './support/interactions.ts'
import { hooks, openNewKeeping, setStage } from './support/stage.ts'

setStage({ ACT_LIMIT: '20' })

const countdown = (page: Page) => page.getByText(/^Sending again in \d+ s$/)

test('replies above the limit all arrive, once and in order', async () => {
  const { page } = await openNewKeeping(hooks.at('/limited'))
  await goOffline(page)
  const replies = Array.from({ length: 22 }, (_, i) => `Reply ${i + 1}`)
  for (const words of replies) await reply(page, words)
  await page.context().setOffline(false)
  await countdown(page).first().waitFor()
  expect((await hooks.hooks('/limited', 22)).map(({ trigger }) => trigger.text)).toEqual(replies)
})

test('nothing is sent during a pause, even after a reload', async () => {
  const { page } = await openNewKeeping(hooks.at('/paused'))
  const PAUSE_MS = 4_000
  const posts: number[] = []
  await page.context().route('**/interactions', route => {
    if (route.request().method() !== 'POST') return route.continue()
    posts.push(Date.now())
    if (posts.length > 1) return route.continue()
    const headers = { 'Retry-After': String(PAUSE_MS / 1_000) }
    return route.fulfill({ status: 429, headers, json: { error: 'Too many actions' } })
  })
  await reply(page, 'First')
  await countdown(page).first().waitFor()
  await reply(page, 'Second')
  await expect.poll(() => countdown(page).count()).toBe(2)
  await page.reload()
  await expect.poll(() => countdown(page).count()).toBe(2)
  expect(await page.getByText('Too many actions').count()).toBe(0)
  const sent = (await hooks.hooks('/paused', 2)).map(({ trigger }) => trigger.text)
  expect(sent).toEqual(['First', 'Second'])
  const [rejected = 0, next = 0] = posts
  expect(next - rejected).toBeGreaterThanOrEqual(PAUSE_MS)
})
