// What several tests of the settings pages do.
import type { Page, Route } from 'playwright-core'
import type { HeaderAction } from '../../../shared/header-action.ts'
import { api, open, server, session } from './dashboard-stage.ts'
import { section } from './page.ts'

export const settingsOf = (channel: string) => `/dashboard/channels/${channel}`
export const focused = (page: Page) => page.locator(':focus')

/** A channel with the header actions Alpha, Beta and Gamma. */
export async function createOrdered(): Promise<string> {
  const { id } = await api.createChannel('Ordered')
  for (const [position, label] of ['Alpha', 'Beta', 'Gamma'].entries())
    await api.addAction(id, label, 'secondary', position)
  return id
}

/** Opens the settings of such a channel. */
export async function openOrdered(): Promise<{ id: string; page: Page; faults: string[] }> {
  const id = await createOrdered()
  return { id, ...(await open(settingsOf(id))) }
}

/** The labels of the header actions on the settings page. */
export const listedLabels = (page: Page) =>
  section(page, 'Header actions').locator('.swatch').allTextContents()

export const actionsOf = (channel: string) => session<HeaderAction[]>('GET', `/channels/${channel}/actions`)
export const labelsOf = async (channel: string) => (await actionsOf(channel)).map(({ label }) => label)
export const attributesOf = (channel: string) =>
  session<Record<string, string>>('GET', `/channels/${channel}/attributes`)

export async function save(page: Page, part: string): Promise<void> {
  await section(page, part).getByRole('button', { name: 'Save' }).click()
}

export async function saved(page: Page, part: string): Promise<void> {
  await section(page, part).getByText('Saved', { exact: true }).waitFor()
}

/** Deletes something in a list of the settings and waits for the toast. */
export async function deleteRow(page: Page, kind: 'action' | 'attribute', name: string): Promise<void> {
  await page.getByRole('button', { name: `Delete ${name}` }).click()
  await page.getByText(`Deleted the ${kind} “${name}”`).waitFor()
}

export async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
}

/** Brings the page to the front, as the browser tells it. */
export const comeBack = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event('focus')))

export const failWith = (status: number, error: string) => (route: Route) =>
  route.fulfill({ status, json: { error } })

/** A promise and the function that resolves it. */
export function makeGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}

/** Requests of this method reach the server; their responses wait for `release`. `sent` resolves at the first one. */
export async function hold(page: Page, url: string | RegExp, method: string) {
  const [sent, released] = [makeGate(), makeGate()]
  await page.route(url, async route => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    sent.open()
    await released.opened
    await route.fulfill({ response })
  })
  return { sent: sent.opened, release: released.open }
}

export async function enterCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

export const signInAsOwner = (page: Page) => enterCredentials(page, server.owner.email, server.owner.password)
