// What the tests of a file of the dashboard share: a server, a browser, the API, and its owner signed in.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startServer, type TestServer } from '../../support/server.ts'
import { type Api, makeApi } from './api.ts'
import { launchChromium } from './chromium.ts'
import { makeSession, type Session } from './session.ts'
import { signIn, type Visit, visit } from './visit.ts'

export let server: TestServer
export let browser: Browser
export let api: Api
export let session: Session

/** They are there once the tests of the file that calls it run. */
export function stageDashboard(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    server = await startServer(env)
    browser = await launchChromium()
    api = makeApi(server)
    session = await makeSession(server)
  })

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
  })
}

/** A page of the owner's, in a fresh window. */
export async function open(path: string): Promise<Visit> {
  const visited = await visit(browser)
  await signIn(visited.page, server)
  await visited.page.goto(server.url + path)
  return visited
}
