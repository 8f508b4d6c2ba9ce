// A signed-in person chooses, for each channel on this device, whether to act by name.
import type { BrowserContextOptions, Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { reply, replyBox } from './support/interactions.ts'
import { expectFocus, press } from './support/page.ts'
import { type Credentials, makeUser } from './support/session.ts'
import { api, open, openAsGuest, opened, server, session, setStage, signedIn } from './support/stage.ts'
import { openChannel, PHONE, type Visit } from './support/visit.ts'

setStage()
beforeAll(async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  sam = await makeUser(server, 'Sam')
})

let sam: Credentials

/** The channel as Sam sees it, who has an account and no role. */
async function openAsSam(channel: string, options: BrowserContextOptions = {}): Promise<Visit> {
  const visited = await signedIn(options, sam)
  await openChannel(visited.page, server, channel)
  return visited
}

/** The names in the log by the text of the reply, once so many are there. */
async function names(channel: string, count: number): Promise<Record<string, string | null>> {
  type Entry = { trigger: { text: string }; by: { name: string | null } }
  let entries: Entry[] = []
  await expect
    .poll(async () => {
      const log = await session<{ interactions: Entry[] }>('GET', `/channels/${channel}/interactions`)
      entries = log.interactions
      return entries.length
    })
    .toBe(count)
  return Object.fromEntries(entries.map(({ trigger, by }) => [trigger.text, by.name]))
}

const choice = (page: Page) => page.locator('.name-choice')

/** Waits until the open reply box says so. */
async function acts(page: Page, words: string): Promise<void> {
  await replyBox(page).focus()
  await choice(page).getByText(words).waitFor()
}

test('interactions are anonymous until the viewer chooses otherwise, and each channel keeps its choice', async () => {
  const [{ id }, other] = [await api.createChannel('By name'), await api.createChannel('Other')]
  const { page } = await openAsSam(id)
  await acts(page, 'Acting without a name')
  await reply(page, 'first')
  expect(await names(id, 1)).toEqual({ first: null })

  await page.getByRole('button', { name: 'Act as Sam' }).focus()
  await page.keyboard.press('Enter')
  await choice(page).getByText('Acting as Sam').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Act without a name' }))
  await reply(page, 'second')
  expect(await names(id, 2)).toEqual({ first: null, second: 'Sam' })

  await openChannel(page, server, other.id)
  await acts(page, 'Acting without a name')
  await openChannel(page, server, id)
  await acts(page, 'Acting as Sam')
  await reply(page, 'third')
  expect(await names(id, 3)).toEqual({ first: null, second: 'Sam', third: 'Sam' })
  await page.getByRole('button', { name: 'Act without a name' }).press('Space')
  await acts(page, 'Acting without a name')
  await reply(page, 'fourth')
  expect(await names(id, 4)).toMatchObject({ fourth: null })
})

test('the log shows names, and no email address but the owner’s', async () => {
  const { id } = await api.createChannel('Log')
  const { page } = await openAsSam(id)
  await reply(page, 'Nobody')
  await press(page, 'Act as Sam')
  await reply(page, 'Somebody')
  await session('POST', `/channels/${id}/interactions`, { trigger: { type: 'reply', text: 'Me' } })
  await names(id, 3)
  const { page: owner } = await open(`/dashboard/channels/${id}/log`)
  for (const [line, who, details] of [
    ['Nobody', 'Someone', 'Someone'],
    ['Somebody', 'Sam', 'Sam, signed in'],
    ['Me', 'You', `You (${server.owner.email})`],
  ] as const) {
    const row = owner.getByRole('row').filter({ has: owner.getByRole('button', { name: `Reply: ${line}` }) })
    await row.getByText(who, { exact: true }).waitFor()
    await row.getByRole('button').click()
    await owner.getByRole('complementary').getByText(details, { exact: true }).waitFor()
  }
  expect(await owner.content()).not.toContain(sam.email)
})

test('people with a role act by name until they choose otherwise', async () => {
  const { id } = await api.createChannel('Roles')
  const { page } = await opened(id)
  await acts(page, 'Acting as Owner')
  await reply(page, 'first')
  expect(await names(id, 1)).toEqual({ first: 'Owner' })
  await press(page, 'Act without a name')
  await acts(page, 'Acting without a name')
  await page.reload()
  await acts(page, 'Acting without a name')
  await reply(page, 'second')
  expect(await names(id, 2)).toEqual({ first: 'Owner', second: null })
})

test('a choice is kept even if the page is left before it is written', async () => {
  const { id } = await api.createChannel('Left at once')
  const { page } = await opened(id)
  await page.evaluate(() => {
    const { prototype } = (frames[0] as Window & typeof globalThis).IDBObjectStore
    const { put } = prototype
    prototype.put = function (value, key) {
      const request = put.call(this, value, key)
      if (String(key).startsWith('by-name:')) this.transaction.abort()
      return request
    }
  })
  await replyBox(page).focus()
  await press(page, 'Act without a name')
  await page.reload()
  await acts(page, 'Acting without a name')
  await page.reload()
  await acts(page, 'Acting without a name')
})

test('only signed-in viewers have a choice, and only in interactive channels', async () => {
  const { id } = await api.createChannel('Asked')
  const { page: nobody } = await openAsGuest(`/c/${id}`)
  const view = await api.createChannel('View only', { mode: 'view' })
  const { page: viewer } = await openAsSam(view.id)
  await replyBox(nobody).waitFor()
  expect(await choice(nobody).count()).toBe(0)
  expect(await choice(viewer).count()).toBe(0)
  expect(await viewer.getByRole('textbox', { name: 'Reply' }).count()).toBe(0)
})

test('on a phone the choice can be tapped, and axe finds no fault', async () => {
  const { id } = await api.createChannel('Phone')
  const { page } = await openAsSam(id, PHONE)
  const button = page.getByRole('button', { name: 'Act as Sam' })
  await page.getByRole('button', { name: 'Acting without a name' }).tap()
  await button.waitFor()
  expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await findings(page)).toEqual([])
  await button.tap()
  await acts(page, 'Acting as Sam')
})
