// The theme: light, dark or the system's, set before the first paint and around the page on phones.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { browser, openAsGuest, server, setStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

setStage()

/** The background of the page, and the colour that phones draw around it. */
const coloursOf = (page: Page) =>
  page.evaluate(() => [
    getComputedStyle(document.body).backgroundColor,
    ...[...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
      .filter(({ media }) => matchMedia(media).matches)
      .map(({ content }) => content),
  ])

const LIGHT = ['rgb(247, 247, 249)', '#ffffff']
const DARK = ['rgb(13, 14, 17)', '#15161a']

test('the theme follows the system until one is chosen, and the choice survives a reload', async () => {
  const { page } = await openAsGuest('/', { colorScheme: 'dark' })
  const toggle = page.getByRole('button', { name: 'Theme' })
  await toggle.waitFor()
  await expect.poll(() => coloursOf(page)).toEqual(DARK)
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(() => coloursOf(page)).toEqual(LIGHT)
  await toggle.click()
  await toggle.click()
  await expect.poll(() => toggle.getAttribute('aria-label')).toContain('Theme: dark')
  await expect.poll(() => coloursOf(page)).toEqual(DARK)
  await page.reload()
  await toggle.waitFor()
  await expect.poll(() => coloursOf(page)).toEqual(DARK)
  await toggle.click()
  await expect.poll(() => coloursOf(page)).toEqual(LIGHT)
})

test('the chosen theme is set before the first paint', async () => {
  const { page } = await visit(browser, { colorScheme: 'light' })
  await page.addInitScript(() => {
    localStorage.setItem('theme', 'dark')
    new PerformanceObserver(() => {
      const { theme } = document.documentElement.dataset
      Object.assign(window, { paintedIn: theme })
    }).observe({ type: 'paint', buffered: true })
    // The script that sets the theme comes before the body.
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
