// What the tests of a file share: a server, a browser, the API, its owner's session and a webhook receiver.
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Api, makeApi, type Send } from './api.ts'
import { launchChromium } from './chromium.ts'
import { launchFirefox } from './firefox.ts'
import { type Hooks, startHooks } from './hooks.ts'
import { makeSession } from './session.ts'
import { KEEPING, keptForOffline, openChannel, signIn, takeFaults, type Visit, visit } from './visit.ts'

export let server: TestServer
export let browser: Browser
export let api: Api
export let session: Send
export let hooks: Hooks

/** The environment of a server without limits. */
export const UNLIMITED = {
  DAILY_CARD_LIMIT: '0',
  DAILY_BYTE_LIMIT: '0',
  DAILY_CHANNEL_LIMIT: '0',
  WORKSPACE_LIMIT: '0',
}

/** Call it once per file. The bindings are set when the tests run. Scripts of a page may throw nothing in any test. */
export function setStage(env: Record<string, string> = {}, start = startServer): void {
  beforeAll(async () => {
    server = await start({ ...UNLIMITED, ...env })
    browser = await (process.env.BROWSER === 'firefox' ? launchFirefox() : launchChromium())
    api = makeApi(server)
    session = await makeSession(server)
    hooks = await startHooks()
  }, 240_000)

  afterEach(async () => {
    for (const context of browser.contexts()) await context.close()
    expect(takeFaults()).toEqual([])
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    await hooks?.stop()
  })
}

/** A fresh window of the owner's, or of another user. */
export async function signedIn(options: BrowserContextOptions = {}, user = server.owner): Promise<Visit> {
  const visited = await visit(browser, options)
  await signIn(visited.page, server.url, user)
  return visited
}

/** A page in a fresh window that isn't signed in. */
export async function openAsGuest(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await visit(browser, options)
  await visited.page.goto(server.url + path)
  return visited
}

/** A page of the owner's, in a fresh window. */
export async function open(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await signedIn(options)
  await visited.page.goto(server.url + path)
  return visited
}

/** A live channel in a fresh window of the owner's. */
export async function opened(channel: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await signedIn(options)
  await openChannel(visited.page, server, channel)
  return visited
}

/** The same with the service worker, so that the channel opens without a network. */
export async function openedKeeping(channel: string): Promise<Visit> {
  const visited = await opened(channel, KEEPING)
  await keptForOffline(visited.page)
  return visited
}

/** Opens a new channel that has a card of these blocks, if there are any. */
export async function openNew(fields: object = {}, ...blocks: object[]) {
  const created = await createChannel(fields, ...blocks)
  return { ...created, ...(await opened(created.id)) }
}

/** The same with the service worker. */
export async function openNewKeeping(fields: object = {}, ...blocks: object[]) {
  const created = await createChannel(fields, ...blocks)
  return { ...created, ...(await openedKeeping(created.id)) }
}

/** A new channel that has a card of these blocks, if there are any. */
export async function createChannel(fields: object = {}, ...blocks: object[]) {
  const { id } = await api.createChannel('A channel', fields)
  const card_id = blocks.length === 0 ? '' : (await api.push(id, blocks)).id
  return { id, card_id }
}
