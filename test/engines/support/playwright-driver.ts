// Chromium and Firefox, driven by Playwright.
import type { Browser } from 'playwright-core'
import { type Driver, SIZE } from './driver.ts'

export async function openWithPlaywright(browser: Pick<Browser, 'newContext'>): Promise<Driver> {
  const context = await browser.newContext({ viewport: SIZE })
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  return {
    goto: async url => void (await page.goto(url)),
    reload: async () => void (await page.reload()),
    back: async () => void (await page.goBack()),
    evaluate: expression => page.evaluate(expression),
    press: key => page.keyboard.press(key),
    type: text => page.keyboard.type(text),
    clickAt: (x, y) => page.mouse.click(x, y),
    shot: () => page.screenshot(),
    close: () => context.close(),
  }
}
