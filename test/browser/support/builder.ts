// What several tests and screenshots do in the card builder.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'

/** Opens it and waits until it knows the channels. `query`: as in the address, with its `?`. */
export async function openBuilder(page: Page, server: TestServer, query = ''): Promise<void> {
  await page.goto(`${server.url}/dashboard/builder${query}`)
  await page.locator('select:enabled', { has: page.locator('optgroup') }).waitFor()
}

/** Brings a pane to the screen: on a narrow one there is one at a time. */
export async function pane(page: Page, name: 'Blocks' | 'JSON' | 'Preview' | 'Code'): Promise<void> {
  await page.getByRole('tab', { name }).click()
}

export async function takeExample(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Examples', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

export const addBlock = (page: Page, name: string) =>
  page.getByRole('region', { name: 'Add a block' }).getByRole('button', { name, exact: true }).click()

export const row = (page: Page, words: string) =>
  page.getByRole('list', { name: 'Blocks' }).getByRole('listitem').filter({ hasText: words })

/** Opens a block of the list, or closes it. */
export const openRow = (page: Page, words: string) => row(page, words).locator('.row-open').click()

export const editor = (page: Page) => page.getByRole('textbox', { name: 'JSON of the card' })

/** Writes the JSON anew, as by hand. */
export async function writeJson(page: Page, json: string): Promise<void> {
  await pane(page, 'JSON')
  await editor(page).fill(json)
}

export const sendButton = (page: Page) => page.getByRole('button', { name: /^Send (to channel|the change)$/ })

export const preview = (page: Page) => page.locator('.stage')
