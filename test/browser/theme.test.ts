// Light, dark, or as the system has it: there before the first paint, and around the page on phones too.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { launchChromium } from './support/chromium.ts'
import { visit } from './support/visit.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const ground = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
const around = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
      .filter(({ media }) => matchMedia(media).matches)
      .map(({ content }) => content),
  )

const LIGHT = 'rgb(246, 246, 247)'
const DARK = 'rgb(15, 16, 18)'

test('it follows the system, until one is chosen; the choice is kept', async () => {
  const { page } = await visit(browser, { colorScheme: 'dark' })
  await page.goto(server.url)
  const toggle = page.getByRole('button', { name: 'Theme' })
  await toggle.waitFor()
  await expect.poll(() => Promise.all([ground(page), around(page)])).toEqual([DARK, ['#17181b']])
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => Promise.all([ground(page), around(page)])).toEqual([LIGHT, ['#ffffff']])
  await toggle.click()
  await toggle.click()
  await expect.poll(() => toggle.getAttribute('aria-label')).toContain('Theme: dark')
  await expect.poll(() => Promise.all([ground(page), around(page)])).toEqual([DARK, ['#17181b']])
  await page.reload()
  await toggle.waitFor()
  await expect.poll(() => Promise.all([ground(page), around(page)])).toEqual([DARK, ['#17181b']])
  await toggle.click()
  await expect.poll(() => Promise.all([ground(page), around(page)])).toEqual([LIGHT, ['#ffffff']])
})

test('the chosen one is there before the first paint: nothing flashes', async () => {
  const { page } = await visit(browser, { colorScheme: 'light' })
  await page.addInitScript(() => {
    localStorage.setItem('theme', 'dark')
    new PerformanceObserver(() => {
      const { theme } = document.documentElement.dataset
      Object.assign(window, { paintedIn: theme })
    }).observe({ type: 'paint', buffered: true })
    // The script that sets it comes before whatever the page shows.
    new MutationObserver(() => {
      if (document.body && !Reflect.has(window, 'bodyIn'))
        Object.assign(window, { bodyIn: document.documentElement.dataset.theme })
    }).observe(document, { childList: true, subtree: true })
  })
  await page.goto(server.url)
  await page.waitForFunction(() => Reflect.has(window, 'paintedIn'))
  await expect
    .poll(() => page.evaluate(() => [Reflect.get(window, 'bodyIn'), Reflect.get(window, 'paintedIn')]))
    .toEqual(['dark', 'dark'])
})
