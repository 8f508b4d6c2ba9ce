// Workspaces for the tests of their pages, created and changed by the owner of a test server.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { text } from './api.ts'
import { api, server, session, signedIn } from './stage.ts'
import { linkStatus } from './visit.ts'

type Settings = { channels?: string[]; [setting: string]: unknown }

/** Creates a workspace with these settings, and a channel for each name in `channels`. */
export async function makeWorkspace(name: string, { channels = [], ...fields }: Settings = {}) {
  const { id, slug } = await session<{ id: string; slug: string }>('POST', '/workspaces', { name })
  const workspace = {
    id,
    slug,
    /** Its page. */
    url: `${server.url}/w/${slug}`,
    /** The ids of `channels`. */
    ids: [] as string[],
    /** Changes its settings. */
    set: (fields: object) => session('PATCH', `/workspaces/${id}`, fields),
    showAttribute: (key: string, flags: object) =>
      session('PUT', `/workspaces/${id}/attribute-settings`, { key, ...flags }),
    /** The id of a new channel in it. */
    addChannel: async (name: string, fields: object = {}) =>
      (await api.createChannel(name, { workspace_id: id, ...fields })).id,
    remove: () => session('DELETE', `/workspaces/${id}`),
  }
  await workspace.set(fields)
  for (const channel of channels) workspace.ids.push(await workspace.addChannel(channel))
  return workspace
}

export type TestWorkspace = Awaited<ReturnType<typeof makeWorkspace>>

/** Pushes a card to each channel, such as “In one” to the channel “One”. */
export async function pushToEach({ ids }: TestWorkspace, names: string[]): Promise<void> {
  for (const [i, name] of names.entries()) await api.push(ids[i] ?? '', [text(`In ${name.toLowerCase()}`)])
}

/** Opens a workspace's page and waits until it is live. */
export async function openWorkspace(page: Page, { url }: TestWorkspace, query = ''): Promise<void> {
  await page.goto(url + query)
  await linkStatus(page, 'live')
}

/** The names of the channels that a list shows, from the top. */
export const sideNames = (page: Page) => page.locator('.side-name').allTextContents()

/** Opens a channel of the sidebar. */
export const choose = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

/** The heading of the open channel. */
export const openName = (page: Page, name: string) =>
  page.locator('.pane-head').getByRole('heading', { name, exact: true })

/** Opens a workspace's page as its owner. `query` is part of the address, with its `?`. */
export async function openAsOwner(workspace: TestWorkspace, query = '', options: BrowserContextOptions = {}) {
  const opened = await signedIn(options)
  await openWorkspace(opened.page, workspace, query)
  return opened
}

/** The addresses of the page's open sockets that match. */
export function watchSockets(page: Page, part: string): Set<string> {
  const open = new Set<string>()
  page.on('websocket', socket => {
    if (!socket.url().includes(part)) return
    open.add(socket.url())
    socket.on('close', () => open.delete(socket.url()))
  })
  return open
}

type Boxed = { boundingBox: () => Promise<{ x: number; width: number } | null> }

export async function isInside(one: Boxed, other: Boxed): Promise<boolean> {
  const [inner, outer] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!inner || !outer) return false
  return inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1
}
