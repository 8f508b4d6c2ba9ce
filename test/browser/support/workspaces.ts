// Workspaces for the tests of their pages, created and changed by the owner of a test server.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { startServer, type TestServer } from '../../support/server.ts'
import { makeApi } from './api.ts'
import { launchChromium } from './chromium.ts'
import { makeSession } from './session.ts'
import { linkStatus, signIn, type Visit, visit } from './visit.ts'

export type TestWorkspace = {
  id: string
  slug: string
  /** Its page. */
  url: string
  /** Changes its settings. */
  set: (fields: object) => Promise<unknown>
  showAttribute: (key: string, flags: object) => Promise<unknown>
  /** The id of a new channel in it. */
  addChannel: (name: string, fields?: object) => Promise<string>
  remove: () => Promise<unknown>
}

/** The server needs WORKSPACE_LIMIT=0. */
export async function makeWorkspaces(server: TestServer) {
  const session = await makeSession(server)
  const api = makeApi(server)

  async function make(name: string, fields: object = {}): Promise<TestWorkspace> {
    const { id, slug } = await session<{ id: string; slug: string }>('POST', '/workspaces', { name })
    const set = (fields: object) => session('PATCH', `/workspaces/${id}`, fields)
    await set(fields)
    return {
      id,
      slug,
      url: `${server.url}/w/${slug}`,
      set,
      showAttribute: (key, flags) =>
        session('PUT', `/workspaces/${id}/attribute-settings`, { key, ...flags }),
      addChannel: async (name, fields = {}) =>
        (await api.createChannel(name, { workspace_id: id, ...fields })).id,
      remove: () => session('DELETE', `/workspaces/${id}`),
    }
  }

  return { make, session }
}

/** Opens a workspace's page and waits until it is live. */
export async function openWorkspace(page: Page, { url }: TestWorkspace, query = ''): Promise<void> {
  await page.goto(url + query)
  await linkStatus(page, 'live')
}

/** The names of the channels that a list shows, from the top. */
export const sideNames = (page: Page) => page.locator('.side-name').allTextContents()

/** The heading of the open channel. */
export const openName = (page: Page, name: string) =>
  page.locator('.pane-head').getByRole('heading', { name, exact: true })

export type WorkspaceScene = Awaited<ReturnType<typeof startWorkspaces>>

/** A server, and a browser for its owner and for visitors. */
export async function startWorkspaces() {
  const server = await startServer({
    DAILY_CARD_LIMIT: '0',
    DAILY_CHANNEL_LIMIT: '0',
    WORKSPACE_LIMIT: '0',
  })
  const browser = await launchChromium()

  /** Opens a window that is signed in as the owner. */
  async function signedIn(options: BrowserContextOptions = {}): Promise<Visit> {
    const opened = await visit(browser, options)
    await signIn(opened.page, server)
    return opened
  }

  /** Opens a workspace's page as its owner. `query` is part of the address, with its `?`. */
  async function open(workspace: TestWorkspace, query = '', options: BrowserContextOptions = {}) {
    const opened = await signedIn(options)
    await openWorkspace(opened.page, workspace, query)
    return opened
  }

  return {
    server,
    browser,
    api: makeApi(server),
    workspaces: await makeWorkspaces(server),
    signedIn,
    open,
    async stop() {
      await browser.close()
      await server.stop()
    },
  }
}

type Boxed = { boundingBox: () => Promise<{ x: number; width: number } | null> }

export async function isInside(one: Boxed, other: Boxed): Promise<boolean> {
  const [inner, outer] = await Promise.all([one.boundingBox(), other.boundingBox()])
  if (!inner || !outer) return false
  return inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1
}
