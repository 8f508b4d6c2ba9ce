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

/** Fills in the form that creates an attribute, and sends it. */
export async function createAttribute(page: Page, key: string, value: string): Promise<void> {
  const part = section(page, 'Attributes')
  await openForm(page, 'New attribute', part.getByLabel('Key'))
  await part.getByLabel('Key').fill(key)
  await part.getByLabel('Value', { exact: true }).fill(value)
  await part.getByRole('button', { name: 'Create attribute' }).click()
}

/** Opens the form for another entry of a list, if it isn't open. `field`: one of the form's. */
async function openForm(page: Page, name: string, field: Locator): Promise<void> {
  const button = page.getByRole('button', { name })
  await button.or(field).first().waitFor()
  if (await button.isVisible()) await button.click()
}

/** Opens the form for another header action. Returns the field of its label. */
export async function openActionForm(page: Page): Promise<Locator> {
  const label = section(page, 'Header actions').getByLabel('Label').last()
  await openForm(page, 'New header action', label)
  return label
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

export async function saved(page: Page, part: string): Promise<void> {
  await section(page, part).getByText('Saved', { exact: true }).waitFor()
}

/** Deletes something in a list of the settings and waits for the toast. */
export async function deleteRow(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByText(`“${name}” deleted`).waitFor()
}

export async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
}

/** Brings the page to the front, as the browser tells it. */
export const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

export const signInAsOwner = (page: Page) => enterCredentials(page, server.owner.email, server.owner.password)
