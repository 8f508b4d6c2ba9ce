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

/** Opens a workspace's page as its owner. `query` is part of the address, with its `?`. */
export async function openAsOwner(workspace: TestWorkspace, query = '', options: BrowserContextOptions = {}) {
  const opened = await signedIn(options)
  await openWorkspace(opened.page, workspace, query)
  return opened
}
