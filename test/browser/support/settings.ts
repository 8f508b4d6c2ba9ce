// What several tests of the settings pages do.
import type { Locator, Page } from 'playwright-core'
import { enterCredentials, section } from './page.ts'
import { api, open, server, session } from './stage.ts'

export const settingsOf = (channel: string) => `/dashboard/channels/${channel}`
export const focused = (page: Page) => page.locator(':focus')

/** Opens the settings of a new channel with these fields. */
export async function openSettings(fields: object = {}) {
  const { id } = await api.createChannel('A channel', fields)
  return { id, ...(await open(settingsOf(id))) }
}

export const attributesOf = (channel: string) =>
  session<Record<string, string>>('GET', `/channels/${channel}/attributes`)

/** Adds a row for another attribute, and fills it in. */
export async function addAttribute(page: Page, key: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'New attribute', exact: true }).click()
  const row = section(page, 'Attributes').getByRole('listitem').last()
  await row.getByLabel('Key').fill(key)
  await row.getByLabel('Value').fill(value)
}

/** Adds a row for another header action, and fills in its label. Returns that field. */
export async function addAction(page: Page, label: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New header action', exact: true }).click()
  const field = page.getByLabel('Label of the new header action').last()
  await field.fill(label)
  return field
}

/** The bar with the unsaved changes of all sections. */
export const saveBar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })

export const save = (page: Page) => saveBar(page).getByRole('button', { name: 'Save' }).click()

/** Waits until the links to the sections mark this one. */
export const unsaved = (page: Page, part: string) =>
  page
    .getByRole('navigation', { name: 'On this page' })
    .getByRole('link', { name: `${part} (not saved)` })
    .waitFor()

export const nothingUnsaved = (page: Page) =>
  saveBar(page)
    .getByText(/unsaved change/)
    .waitFor({ state: 'hidden' })

export async function saved(page: Page): Promise<void> {
  await page.locator('.toast').getByText('Saved', { exact: true }).waitFor()
  await nothingUnsaved(page)
}

/** Brings the page to the front, as the browser tells it. */
export const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

export const signInAsOwner = (page: Page) => enterCredentials(page, server.owner.email, server.owner.password)
