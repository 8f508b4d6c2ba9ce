// Responses that break off or come from something else: the page requests them again and loses nothing.
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { buttons, pushFillers, text } from './support/api.ts'
import { startGateway } from './support/gateway.ts'
import { delivered } from './support/interactions.ts'
import { expectFocus, press, scrollUntil } from './support/page.ts'
import { api, browser, createChannel, hooks, openNew, server, session, setStage } from './support/stage.ts'
import { card, linkStatus, visit } from './support/visit.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

/** A guest's window on a channel, through a gateway that cuts the first response to a path with this ending. */
async function openThroughGateway(channel: string, ending: string) {
  const gateway = await startGateway(server, ending)
  onTestFinished(gateway.stop)
  const { page } = await visit(browser)
  await page.goto(`${gateway.url}/c/${channel}`)
  return { page, gateway }
}

test.each(['/first-cards', '/document'])(
  'a first visit whose %s breaks off goes live all the same',
  async ending => {
    const { id } = await createChannel({}, text('Here'))
    const { page, gateway } = await openThroughGateway(id, ending)
    await card(page, 'Here').waitFor()
    await linkStatus(page, 'live')
    expect(gateway.left()).toBe(0)
  },
)

test('older cards can be requested again after a truncated response', async () => {
  const { id } = await createChannel({}, text('The very first'))
  await pushFillers(api, id, 64 * 5)
  const { page, gateway } = await openThroughGateway(id, '/pages/0')
  await linkStatus(page, 'live')
  const again = page.getByRole('button', { name: 'Try again' })
  await scrollUntil(page, again)
  expect(gateway.left()).toBe(0)
  await again.click()
  await expectFocus(page.getByRole('main'))
  await scrollUntil(page, card(page, 'The very first'))
})

test.each([
  ['an interaction', '**/interactions', '/interaction'],
  ['the status of a delivery', '**/delivery', '/delivery'],
])('%s is requested again after the sign-in page of a gateway', async (_, path, hook) => {
  const { page } = await openNew(hooks.at(hook), buttons('Approve'))
  const signInPage = { status: 200, contentType: 'text/html', body: '<title>Sign in</title>' }
  await page.route(path, route => route.fulfill(signInPage), { times: 1 })
  await press(page, 'Approve')
  await delivered(page)
  expect((await hooks.hooks(hook, 1)).length).toBe(1)
})
