// Browsers that are older than those that the app needs.
import { expect, test } from 'vitest'
import { browser, server, setStage } from './support/stage.ts'
import { takeFaults, visit } from './support/visit.ts'

setStage()

test('an older browser gets a page that says which browsers work', async () => {
  const { page } = await visit(browser)
  await page.addInitScript(() => Reflect.deleteProperty(URL, 'canParse'))
  for (const path of ['/', '/sign-in', `/c/${server.channel_id}`]) {
    await page.goto(server.url + path)
    await page.getByRole('heading', { name: 'Your browser is too old' }).waitFor()
    await page.getByText('Safari 17, Firefox 128, Chrome 120 or newer').waitFor()
  }
  // The app stops for lack of its element, and nothing was against the policy.
  expect(takeFaults().filter(fault => !fault.includes('#app'))).toEqual([])
})
