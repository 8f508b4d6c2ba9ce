// Steps in the card builder for its tests and screenshots.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { vi } from 'vitest'
import type { TestServer } from '../../support/server.ts'
import { api, createChannel, server, session, signedIn } from './stage.ts'
import type { Visit } from './visit.ts'

type Listed = { id: string; status: string; blocks: ({ type: string } & Record<string, unknown>)[] }

/** Opens the builder in the owner's window. `query` is part of the address, with its `?`. */
export async function open(query = '', options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await signedIn(options)
  await openBuilder(visited.page, server, query)
  return visited
}

/** Opens the builder with an example. */
export async function openExample(name: string, options?: BrowserContextOptions): Promise<Page> {
  const { page } = await open('', options)
  await takeExample(page, name)
  return page
}

/** Resolves with the channel's id. */
export const newChannel = async (name: string) => (await api.createChannel(name)).id

/** Opens the builder with a new channel selected. */
export async function openNewChannel(name: string, options?: BrowserContextOptions) {
  const channel = await newChannel(name)
  return { channel, ...(await open(`?channel=${channel}`, options)) }
}

/** Opens the builder with a card of these blocks in a new channel. */
export async function openCard(...blocks: object[]) {
  const { id: channel, card_id: id } = await createChannel({}, ...blocks)
  return { channel, id, ...(await open(`?channel=${channel}&card=${id}`)) }
}

/** Newest first. */
export const cardsOf = async (channel: string) =>
  (await session<{ cards: Listed[] }>('GET', `/channels/${channel}/cards`)).cards

/** Opens the builder and waits until the channels are loaded. `query` is part of the address, with its `?`. */
export async function openBuilder(page: Page, server: TestServer, query = ''): Promise<void> {
  await page.goto(`${server.url}/dashboard/builder${query}`)
  await page.locator('select:enabled', { has: page.locator('optgroup') }).waitFor()
}

/** Selects the tab of a pane. */
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

/** Opens or closes a block of the list. */
export const openRow = (page: Page, words: string) => row(page, words).locator('.row-open').click()

export const editor = (page: Page) => page.getByRole('textbox', { name: 'JSON of the card' })

/** The value in the JSON editor, which draws only its first lines until it has measured itself. */
export async function readJson(page: Page): Promise<unknown> {
  await pane(page, 'JSON')
  return vi.waitFor(async () => JSON.parse((await editor(page).innerText()).trim()), 10_000)
}

/** Presses the send button and waits for the message of a sent card. */
export async function sendNew(page: Page): Promise<void> {
  await sendButton(page).click()
  await page.getByText('Sent.', { exact: true }).waitFor()
}

/** The same for a changed card. */
export async function sendChange(page: Page): Promise<void> {
  await sendButton(page).click()
  await page.getByText('Everyone with the channel open sees it').waitFor()
}

/** Replaces the JSON by typing. */
export async function writeJson(page: Page, json: string): Promise<void> {
  await pane(page, 'JSON')
  await editor(page).fill(json)
}

export const sendButton = (page: Page) => page.getByRole('button', { name: /^Send (to channel|the change)$/ })

export const preview = (page: Page) => page.locator('.stage')
