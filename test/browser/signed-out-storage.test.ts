// What stays on the device after a sign-out or an ended session.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { text } from './support/api.ts'
import { endSession, signUp } from './support/page.ts'
import { createChannel, open, opened, server, setStage } from './support/stage.ts'
import { storedWith } from './support/stored.ts'
import { cached, card, KEEPING, keptForOffline, openChannel } from './support/visit.ts'

const SECRET = 'the launch code is 0000'

let channel: string

setStage()
beforeAll(async () => {
  channel = (await createChannel({ name: 'Launches' }, text(SECRET))).id
})

/** The channel in a window of its owner. */
async function watching(): Promise<Page> {
  const { page } = await opened(channel, KEEPING)
  await card(page, SECRET).waitFor()
  return page
}

async function expectNothing(page: Page): Promise<void> {
  for (const trace of [SECRET, 'Launches']) await expect.poll(() => storedWith(page, trace)).toEqual([])
}

test('after a sign-out another user finds nothing of the first, in no storage, online or offline', async () => {
  const { page } = await open('/', KEEPING)
  await page.getByRole('link', { name: 'Launches' }).first().waitFor()
  await openChannel(page, server, channel)
  await card(page, SECRET).waitFor()
  await keptForOffline(page)
  expect(await storedWith(page, 'Launches')).not.toEqual([])
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search c' }).fill('sign out')
  await page.getByRole('option', { name: 'Sign out' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  await expectNothing(page)
  await signUp(page, server.url)

  for (const offline of [false, true]) {
    await page.context().setOffline(offline)
    await page.goto(`${server.url}/c/${channel}`)
    const heading = offline ? 'Not on this device yet' : 'You don’t have access to this channel'
    await page.getByRole('heading', { name: heading }).waitFor()
    for (const trace of ['Launches', SECRET, server.owner.email, channel])
      expect({ offline, trace, found: await storedWith(page, trace) }).toEqual({ offline, trace, found: [] })
  }
  expect(
    (await cached(page)).filter(path => !/^\/(assets\/[\w-]+\.(js|css|woff2)|[\w-]+\.\w+)$/.test(path)),
  ).toEqual([])
})

test('a session that ended elsewhere removes the channel and its local copy', async () => {
  const page = await watching()
  await keptForOffline(page)
  await endSession(page, server.url)
  await page.getByRole('heading', { name: 'This channel is private' }).waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  await expectNothing(page)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('a session that ended while no page was open leaves nothing private', async () => {
  const page = await watching()
  await expect.poll(() => storedWith(page, SECRET)).not.toEqual([])
  await page.goto('about:blank')
  await endSession(page, server.url)
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  await expect.poll(() => page.getByText('Launches').count()).toBe(0)
  await expectNothing(page)
})
