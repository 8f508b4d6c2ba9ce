// Acts beyond the server's limit: they wait as long as it asks, over reloads, and all go out in order.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { type Hooks, startHooks } from './support/hooks.ts'
import { keptForOffline, linkSign, openChannel, signIn, visitKeeping } from './support/visit.ts'

let server: TestServer
let browser: Browser
let api: Api
let hooks: Hooks

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '0', ACT_LIMIT: '20' })
  browser = await launchChromium()
  api = makeApi(server)
  hooks = await startHooks()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await hooks?.stop()
})

async function opened(channel: string): Promise<Page> {
  const { page } = await visitKeeping(browser)
  await signIn(page, server)
  await openChannel(page, server, channel)
  await keptForOffline(page)
  return page
}

async function reply(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply' }).fill(words)
  await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
}

const countdown = (page: Page) => page.getByText(/^Sending again in \d+ s$/)

test('more replies than the limit allows all arrive, once and in order', async () => {
  const { id } = await api.createChannel('Limited', hooks.at('/limited'))
  const page = await opened(id)
  await page.context().setOffline(true)
  await linkSign(page, 'offline')
  const replies = Array.from({ length: 22 }, (_, i) => `Reply ${i + 1}`)
  for (const words of replies) await reply(page, words)
  await page.context().setOffline(false)
  await countdown(page).first().waitFor()
  expect((await hooks.hooks('/limited', 22)).map(({ trigger }) => trigger.text)).toEqual(replies)
})

test('nothing goes out during the pause that the server asks for, not even after a reload', async () => {
  const { id } = await api.createChannel('Paused', hooks.at('/paused'))
  const page = await opened(id)
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
  const [refused = 0, next = 0] = posts
  expect(next - refused).toBeGreaterThanOrEqual(PAUSE_MS)
})
