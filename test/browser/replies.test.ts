// Replies: those who run the channel read them beside it, and their senders find them again.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { findings } from './support/axe.ts'
import { reply, replyBox } from './support/interactions.ts'
import { expectFocus, press } from './support/page.ts'
import { type Credentials, makeUser } from './support/session.ts'
import { api, hooks, openAsGuest, opened, server, session, setStage, signedIn } from './support/stage.ts'
import { openChannel, PHONE } from './support/visit.ts'

setStage()
let ben: Credentials

beforeAll(async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  ben = await makeUser(server, 'Ben')
})

const panel = (page: Page) => page.getByRole('complementary', { name: 'Replies' })
const isRepliesRead = (url: string | URL) => /\/interactions\?.*type=reply/.test(String(url))
const repliesButton = (page: Page) => page.getByRole('button', { name: /^Replies/ })

async function replyAsBen(channel: string, words: string): Promise<Page> {
  const { page } = await signedIn({}, ben)
  await openChannel(page, server, channel)
  await replyBox(page).focus()
  await press(page, 'Act as Ben')
  await reply(page, words)
  return page
}

test('the owner hears of a reply at once, and reads it in a panel that only they have', async () => {
  const { id } = await api.createChannel('Heard')
  const { page } = await opened(id)
  await repliesButton(page).waitFor()
  const sender = await replyAsBen(id, 'The provider is down')
  await page.getByText(/Ben replied · \d+:\d\d/).waitFor()
  await page.getByRole('button', { name: 'Replies, 1 new' }).click()
  await panel(page).getByText('The provider is down').waitFor()
  await panel(page).getByText('Ben', { exact: true }).waitFor()
  await page.getByText('Ben replied').waitFor({ state: 'hidden' })
  expect(await findings(page)).toEqual([])
  await page.keyboard.press('Escape')
  await panel(page).waitFor({ state: 'detached' })
  await expectFocus(page.getByRole('button', { name: 'Replies', exact: true }))
  expect(await repliesButton(sender).count()).toBe(0)
  await page.reload()
  await page.getByRole('button', { name: 'Replies', exact: true }).waitFor()
})

test('the sender finds their replies again, also after a reload; nobody else does', async () => {
  const { id } = await api.createChannel('Kept', hooks.at('/kept'))
  const sender = await replyAsBen(id, 'First thought')
  await hooks.hooks('/kept', 1)
  await sender.getByText('1 reply sent').waitFor()
  await sender.reload()
  await sender.getByText('1 reply sent').click()
  await sender.getByText('First thought').waitFor()
  const { page: guest } = await openAsGuest(`/c/${id}`)
  await replyBox(guest).waitFor()
  expect(await guest.getByText('reply sent').count()).toBe(0)
})

test('older replies come on request, and a phone shows the panel over the page', async () => {
  const { id } = await api.createChannel('Many')
  for (let i = 1; i <= 30; i++)
    await session('POST', `/channels/${id}/interactions`, { trigger: { type: 'reply', text: `Reply ${i}.` } })
  const { page } = await opened(id, PHONE)
  await repliesButton(page).tap()
  const sheet = page.getByRole('dialog', { name: 'Replies' })
  await sheet.getByText('Reply 30.').waitFor()
  expect(await sheet.getByText('Reply 1.').count()).toBe(0)
  await sheet.getByRole('button', { name: 'Show earlier replies' }).click()
  await sheet.getByText('Reply 1.').waitFor()
})

test('looking several times at once does not ask more often afterwards', async () => {
  const { id } = await api.createChannel('Polled')
  const { page } = await signedIn()
  await page.clock.install()
  let reads = 0
  page.on('response', response => {
    if (isRepliesRead(response.url())) reads++
  })
  await openChannel(page, server, id)
  await repliesButton(page).waitFor()
  await expect.poll(() => reads).toBe(1)
  await page.evaluate(() => {
    for (let i = 0; i < 3; i++) document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect.poll(() => reads).toBe(4)
  const next = async () => {
    await page.clock.runFor(5_000)
    return reads
  }
  await expect.poll(next).toBeGreaterThan(4)
  expect(reads).toBe(5)
})

test('more new replies than a page has leave no gap', async () => {
  const { id } = await api.createChannel('Busy')
  const send = (words: string) =>
    session('POST', `/channels/${id}/interactions`, { trigger: { type: 'reply', text: words } })
  await send('Known.')
  const { page } = await opened(id)
  await repliesButton(page).click()
  await panel(page).getByText('Known.').waitFor()
  await page.route(isRepliesRead, route => route.abort())
  for (let i = 1; i <= 30; i++) await send(`Reply ${i}.`)
  await page.unroute(isRepliesRead)
  await panel(page).getByText('Reply 30.').waitFor()
  expect(await panel(page).getByText('Reply 1.').count()).toBe(0)
  await panel(page).getByRole('button', { name: 'Show earlier replies' }).click()
  await panel(page).getByText('Reply 1.').waitFor()
})
