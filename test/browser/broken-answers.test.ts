// An answer that breaks off, or that is not the server's, is none: the page asks again, and nothing hangs or is lost.
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { type Api, makeApi, pushMany, text } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { startGateway } from './support/gateway.ts'
import { type Hooks, startHooks } from './support/hooks.ts'
import { card, interactionStatus, linkStatus, openChannel, signIn, visit } from './support/visit.ts'
import { makeWorkspaces } from './support/workspaces.ts'

let server: TestServer
let browser: Browser
let api: Api
let hooks: Hooks
let workspace: string

beforeAll(async () => {
  server = await startServer({ DAILY_CARD_LIMIT: '0', WORKSPACE_LIMIT: '0' })
  browser = await launchChromium()
  api = makeApi(server)
  hooks = await startHooks()
  const { make } = await makeWorkspaces(server)
  workspace = (await make('Open', { visibility: 'public' })).id
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
  await hooks?.stop()
})

test.each(['/first-cards', '/document'])(
  'a first visit whose %s breaks off goes live all the same',
  async ending => {
    const { id } = await api.createChannel('Cut', { workspace_id: workspace })
    await api.push(id, [text('Here')])
    const gateway = await startGateway(server, ending)
    const { page, faults } = await visit(browser)
    await page.goto(`${gateway.url}/c/${id}`)
    await card(page, 'Here').waitFor()
    await linkStatus(page, 'live')
    expect(gateway.left()).toBe(0)
    expect(faults).toEqual([])
    await page.context().close()
    gateway.stop()
  },
)

test('older cards can be requested again after a truncated response', async () => {
  const { id } = await api.createChannel('Cut archive', { workspace_id: workspace })
  await api.push(id, [text('The very first')])
  await pushMany(api, id, 64 * 5)
  const gateway = await startGateway(server, '/pages/0')
  const { page, faults } = await visit(browser)
  await page.goto(`${gateway.url}/c/${id}`)
  await linkStatus(page, 'live')
  await page.locator('.feed-scroller').hover()
  const again = page.getByRole('button', { name: 'Try again' })
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return again.isVisible()
    })
    .toBe(true)
  expect(gateway.left()).toBe(0)
  await again.click()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return card(page, 'The very first').isVisible()
    })
    .toBe(true)
  expect(faults).toEqual([])
  await page.context().close()
  gateway.stop()
})

/** Answers the first request to `path` as a gateway that wants a sign-in. */
async function signInAt(page: Page, path: string): Promise<void> {
  const answer = { status: 200, contentType: 'text/html', body: '<title>Sign in</title>' }
  await page.route(path, route => route.fulfill(answer), { times: 1 })
}

test.each([
  ['an act', '**/interactions', '/act'],
  ['how its webhook fares', '**/delivery', '/delivery'],
])('where something else answers %s, it is asked again', async (_, path, hook) => {
  const { id } = await api.createChannel('Gateway', hooks.at(hook))
  await api.push(id, [{ type: 'button', id: 'b', buttons: [{ id: 'approve', label: 'Approve' }] }])
  const { page, faults } = await visit(browser)
  await signIn(page, server)
  await openChannel(page, server, id)
  await signInAt(page, path)
  await page.getByRole('button', { name: 'Approve' }).click()
  await interactionStatus(page, 'delivered').waitFor()
  expect((await hooks.hooks(hook, 1)).length).toBe(1)
  expect(faults).toEqual([])
})
