// What the tests of a file share: a server, a browser, the API, a webhook receiver, and the owner's pages.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Api, makeApi } from './api.ts'
import { launchChromium } from './chromium.ts'
import { type Hooks, startHooks } from './hooks.ts'
import { keptForOffline, linkStatus, openChannel, signIn, type Visit, visit, visitKeeping } from './visit.ts'

export let server: TestServer
export let browser: Browser
export let api: Api
export let hooks: Hooks

/** Call it once per file. The bindings are set when the tests run. */
export function setStage(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    server = await startServer({ DAILY_CARD_LIMIT: '0', ...env })
    browser = await launchChromium()
    api = makeApi(server)
    hooks = await startHooks()
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await hooks?.stop()
  })
}

/** A fresh window of the owner's. */
export async function signedIn(): Promise<Visit> {
  const visited = await visit(browser)
  await signIn(visited.page, server)
  return visited
}

/** A live channel in a fresh window of the owner's. */
export async function opened(channel: string): Promise<Visit> {
  const visited = await signedIn()
  await openChannel(visited.page, server, channel)
  return visited
}

/** The same with the service worker, so that the channel opens without a network. */
export async function openedKeeping(channel: string): Promise<Visit> {
  const visited = await visitKeeping(browser)
  await signIn(visited.page, server)
  await openChannel(visited.page, server, channel)
  await keptForOffline(visited.page)
  return visited
}

export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await linkStatus(page, 'offline')
}

export async function reply(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Reply' }).fill(text)
  await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
}

/** Runs in the page. */
export function isFocused(element: Element): boolean {
  return element === document.activeElement
}

/** A block of buttons whose ids are their labels in lower case. */
export const buttons = (...labels: string[]) => ({
  type: 'button',
  id: 'buttons',
  buttons: labels.map(label => ({ id: label.toLowerCase(), label })),
})

export const waiting = (page: Page, count: string) =>
  page.locator('[data-link="offline"]').getByText(`Offline with ${count} waiting`).waitFor()
