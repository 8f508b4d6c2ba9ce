// A network that lets no WebSocket through: pages read over HTTP and say what is the matter.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buttons, text } from './support/api.ts'
import { startGateway } from './support/gateway.ts'
import { doneButton } from './support/interactions.ts'
import { press } from './support/page.ts'
import { api, browser, createChannel, server, setStage } from './support/stage.ts'
import { card, linkStatus, signIn, visit } from './support/visit.ts'
import { makeWorkspace } from './support/workspaces.ts'

setStage()

let gateway: Awaited<ReturnType<typeof startGateway>>

beforeAll(async () => {
  gateway = await startGateway(server)
})
afterAll(() => gateway.stop())

/** The owner's page behind the gateway. */
async function openBehind(path: string): Promise<Page> {
  const { page } = await visit(browser)
  await signIn(page, gateway.url, server.owner)
  await page.goto(gateway.url + path)
  return page
}

/** A channel that was live in a page, with its owner as the viewer. */
async function seenBefore() {
  gateway.setSockets('open')
  const { id } = await createChannel({ receipts: 'on' }, text('Before'), buttons('Go'))
  const page = await openBehind(`/c/${id}`)
  await linkStatus(page, 'live')
  return { id, page }
}

/** A socket without an answer counts as failed after 6 to 14 s. The page's clock goes on until `isSo`. */
async function goOnUntil(page: Page, isSo: () => Promise<boolean>): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.fastForward(2_000)
      return isSo()
    })
    .toBe(true)
}

const banner = (page: Page) => page.getByText('Live updates are blocked.')

test('with WebSockets refused, a channel seen before shows new cards and receipts, and is live once they get through', async () => {
  const { id, page } = await seenBefore()
  gateway.setSockets('refused')
  await api.push(id, [text('While away')])
  await page.reload()
  await card(page, 'While away').waitFor()
  await banner(page).waitFor()
  expect(await page.getByText('You are offline').count()).toBe(0)
  await press(page, 'Go')
  await doneButton(page, 'Go').waitFor()
  await page.getByText(/^Go: /).or(page.getByText('You chose Go')).first().waitFor()
  const requests: number[] = []
  page.on('request', request => request.url().endsWith('/document') && requests.push(Date.now()))
  await api.push(id, [text('Read over HTTP')])
  await card(page, 'Read over HTTP').waitFor()
  await expect.poll(() => requests.length).toBeGreaterThan(1)
  for (const [i, at] of requests.entries())
    if (i > 0) expect(at - (requests[i - 1] ?? 0)).toBeGreaterThan(4_500)

  gateway.setSockets('open')
  await linkStatus(page, 'live')
  expect(await banner(page).count()).toBe(0)
  await api.push(id, [text('Live again')])
  await card(page, 'Live again').waitFor()
})

test('with WebSockets that get no answer, a channel seen before shows new cards, and is live once they get through', async () => {
  const { id, page } = await seenBefore()
  gateway.setSockets('ignored')
  await api.push(id, [text('While away')])
  await page.clock.install()
  await page.reload()
  const isShown = (words: string) => async () => (await card(page, words).count()) > 0
  await goOnUntil(page, isShown('While away'))
  await goOnUntil(page, () => banner(page).isVisible())
  expect(await page.getByText('You are offline').count()).toBe(0)
  await api.push(id, [text('Read over HTTP')])
  await goOnUntil(page, isShown('Read over HTTP'))

  gateway.setSockets('open')
  await goOnUntil(page, () => page.locator('[data-link="live"]').isVisible())
  expect(await banner(page).count()).toBe(0)
  await api.push(id, [text('Live again')])
  await card(page, 'Live again').waitFor()
})

test('a workspace page without WebSockets shows new channels, and says so', async () => {
  gateway.setSockets('refused')
  const workspace = await makeWorkspace('Blocked', { channels: ['One'] })
  const page = await openBehind(new URL(workspace.url).pathname)
  await banner(page).waitFor()
  await api.patchChannel(workspace.ids[0] ?? '', { name: 'Renamed' })
  await page.getByText('Renamed').first().waitFor()
  gateway.setSockets('open')
  await linkStatus(page, 'live')
  expect(await banner(page).count()).toBe(0)
})
