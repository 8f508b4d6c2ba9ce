// The API reference: it requests nothing from other hosts, and operations can be called with a key.
import { expect, test } from 'vitest'
import { boxOf } from './support/page.ts'
import { browser, openAsGuest, server, setStage } from './support/stage.ts'
import { PHONE, visit } from './support/visit.ts'

setStage()

test('an operation can be called with a key, and all requests go to this server', async () => {
  const { page } = await visit(browser)
  const elsewhere: string[] = []
  const complaints: string[] = []
  page.on('request', request => {
    const { protocol, origin } = new URL(request.url())
    if (protocol !== 'data:' && origin !== server.url) elsewhere.push(request.url())
  })
  page.on('console', message => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${server.url}/api/v1/docs`)
  await page.locator('.btn.authorize').click()
  await page.locator('.modal-ux input').fill(server.api_key)
  await page.locator('.modal-ux .btn.authorize').click()
  await page.locator('.modal-ux .btn-done').click()

  const operation = page.locator('#operations-Cards-createCard')
  await operation.locator('.opblock-summary-control').click()
  await operation.getByPlaceholder('channelId').fill(server.channel_id)
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table')
  await response.getByText('"created_at"').waitFor()
  await response.locator('tbody .response-col_status').first().getByText('201').waitFor()

  await page.locator('[id*="receiveInteraction"]').first().waitFor()
  expect(elsewhere).toEqual([])
  expect(complaints).toEqual([])
})

test('on a phone an operation and its responses stay in their frame and uncovered', async () => {
  const { page } = await openAsGuest('/api/v1/docs#/Cards/createCard', { viewport: PHONE.viewport })
  const operation = page.locator('.opblock.is-open')
  await operation.getByPlaceholder('channelId').fill(server.channel_id)
  await operation.getByRole('button', { name: 'Execute' }).click()
  const response = operation.locator('.live-responses-table').getByText('"Unauthorized"')
  await response.waitFor()
  const frame = await boxOf(operation)
  for (const table of await operation.locator('table').all()) {
    const box = await boxOf(table)
    expect(box.x + box.width).toBeLessThanOrEqual(frame.x + frame.width)
  }
  const above = await boxOf(response)
  const download = await boxOf(operation.getByRole('button', { name: 'Download' }))
  expect(download.y).toBeGreaterThanOrEqual(above.y + above.height)
})

test.each([
  ['light', 390],
  ['dark', 390],
  ['light', 1280],
  ['dark', 1280],
] as const)('%s, %i wide: fits the window, in the reader’s colours', async (colorScheme, width) => {
  const { page } = await openAsGuest('/api/v1/docs', { colorScheme, viewport: { width, height: 800 } })
  await page.locator('.opblock').first().waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  expect(background).toBe(colorScheme === 'dark' ? 'rgb(28, 32, 34)' : 'rgb(255, 255, 255)')
})

test('the reference has the theme of the app', async () => {
  const { page } = await openAsGuest('/', { colorScheme: 'dark' })
  const toggle = page.getByRole('button', { name: 'Theme' })
  await toggle.click()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
  await page.goto(`${server.url}/api/v1/docs`)
  await page.locator('.opblock').first().waitFor()
  await expect.poll(() => page.evaluate(() => document.documentElement.className)).not.toContain('dark-mode')
})
