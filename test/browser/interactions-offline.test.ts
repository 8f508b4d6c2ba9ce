// Interactions that can't be sent at once: they wait, even across reloads and tabs, and are sent once and in order.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input, toggle } from './support/api.ts'
import { valueIn } from './support/hooks.ts'
import {
  delivered,
  doneButton,
  goOffline,
  reply,
  replyBox,
  typeAndReload,
  waiting,
} from './support/interactions.ts'
import { press, signUp } from './support/page.ts'
import { api, createChannel, hooks, openNewKeeping, server, setStage, signedIn } from './support/stage.ts'
import { interactionStatus, KEEPING, linkStatus, openChannel, savedIn } from './support/visit.ts'

setStage()

test('offline interactions survive a reload, and are sent once, in order, with the values seen then', async () => {
  const { id, card_id, page } = await openNewKeeping(
    hooks.at('/offline'),
    input('note', 'Note'),
    input('seen', 'Seen', { value: 'as it was' }),
    toggle('sure', 'Sure', { send_on_change: true }),
    buttons('Approve', 'Reject'),
  )
  await goOffline(page)
  await page.getByLabel('Note').fill('Written offline')
  const acted = Date.now()
  await press(page, 'Approve')
  await page.getByText('Approve: Waiting for a connection').first().waitFor()
  await page.getByLabel('Sure').check()
  await reply(page, 'And a word')
  await waiting(page, '3 interactions')
  // A second click on the same button adds nothing.
  await page.getByRole('button', { name: 'Approve' }).click({ force: true })

  await page.reload()
  await waiting(page, '3 interactions')
  await page.getByText('Approve: Waiting for a connection').waitFor()
  await page.getByText('And a word').waitFor()
  await press(page, 'Reject')
  await waiting(page, '4 interactions')
  await api.patch(id, card_id, { blocks: [{ id: 'seen', patch: { value: 'changed meanwhile' } }] })
  expect(hooks.came('/offline')).toEqual([])

  const back = Date.now()
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  const all = await hooks.hooks('/offline', 4)
  const sent = all.map(({ trigger }) => trigger.label ?? trigger.value ?? trigger.text)
  expect(sent).toEqual(['Approve', true, 'And a word', 'Reject'])
  expect(valueIn(all[0], 'note')).toBe('Written offline')
  expect(valueIn(all[0], 'seen')).toBe('as it was')
  const at = Date.parse(all[0]?.timestamp ?? '')
  expect(at).toBeGreaterThanOrEqual(acted)
  expect(at).toBeLessThan(back)
  await interactionStatus(page, 'delivered').first().waitFor()

  await page.reload()
  await linkStatus(page, 'live')
  await reply(page, 'The end')
  expect((await hooks.hooks('/offline', 5)).at(-1)?.trigger.text).toBe('The end')
})

test.each([
  ['with locks, one of two tabs sends', true],
  ['without locks, two tabs may send, and each interaction counts once', false],
])('%s, and both show the outcome', async (_, locks) => {
  const path = locks ? '/tabs' : '/tabs-without-locks'
  const { id } = await createChannel(hooks.at(path), buttons('Approve', 'Reject', 'Later'))
  const { page } = await signedIn(KEEPING)
  // Browsers have no locks on http in a local network.
  if (!locks) {
    await page.context().addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    })
  }
  await openChannel(page, server, id)
  const other = await page.context().newPage()
  await openChannel(other, server, id)
  let posts = 0
  page.context().on('response', response => {
    if (response.request().method() === 'POST' && response.url().endsWith('/interactions')) posts++
  })
  await goOffline(page)
  await linkStatus(other, 'offline')
  await press(page, 'Approve')
  await other.getByText('Approve: Waiting for a connection').first().waitFor()
  await other.getByRole('button', { name: 'Reject' }).click()
  await waiting(page, '2 interactions')
  await waiting(other, '2 interactions')
  await press(page, 'Later')
  await waiting(other, '3 interactions')

  posts = 0
  await page.context().setOffline(false)
  const all = await hooks.hooks(path, 3)
  expect(all.map(({ trigger }) => trigger.label)).toEqual(['Approve', 'Reject', 'Later'])
  for (const tab of [page, other]) {
    await doneButton(tab, 'Later').waitFor()
    await linkStatus(tab, 'live')
  }
  if (locks) expect(posts).toBe(3)
  // Webhooks arrive in order, so nothing else comes after this one.
  await reply(other, 'The end')
  const labels = (await hooks.hooks(path, 4)).map(({ trigger }) => trigger.label ?? trigger.text)
  expect(labels).toEqual(['Approve', 'Reject', 'Later', 'The end'])
})

test('an interaction right before a reload is kept', async () => {
  const { page } = await openNewKeeping(hooks.at('/at-once'))
  await goOffline(page)
  await replyBox(page).fill('To the last letter')
  await page.evaluate(() => {
    const box = document.querySelector('.reply textarea')
    box?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    location.reload()
  })
  await waiting(page, '1 interaction')
  await page.context().setOffline(false)
  const [hook] = await hooks.hooks('/at-once', 1)
  expect(hook?.trigger.text).toBe('To the last letter')
})

test('a change typed right before a reload is sent', async () => {
  const { page } = await openNewKeeping(hooks.at('/typed'), input('note', 'Note', { send_on_change: true }))
  await typeAndReload(page, 'To the last letter')
  const [hook] = await hooks.hooks('/typed', 1)
  expect(hook?.trigger.value).toBe('To the last letter')
})

test('waiting interactions are sent from any page, even after the browser was closed', async () => {
  const { page } = await openNewKeeping(hooks.at('/closed'), buttons('Approve'))
  await goOffline(page)
  await press(page, 'Approve')
  await waiting(page, '1 interaction')
  // It was tried, so it is saved.
  await interactionStatus(page, 'waiting').getByText('Waiting for a connection').waitFor()
  const context = page.context()
  await page.close()
  await context.setOffline(false)
  const next = await context.newPage()
  await next.goto(`${server.url}/`)
  await hooks.hooks('/closed', 1)
})

test('a password is sent, and saved only while it waits', async () => {
  const { page } = await openNewKeeping(
    hooks.at('/password'),
    input('secret', 'Secret', { input_type: 'password' }),
    buttons('Approve'),
  )
  await goOffline(page)
  await page.getByLabel('Secret').fill('hunter2hunter2')
  await press(page, 'Approve')
  await page.getByText('The password stays on this device until then').first().waitFor()
  await page.context().setOffline(false)
  const [hook] = await hooks.hooks('/password', 1)
  expect(valueIn(hook, 'secret')).toBe('hunter2hunter2')
  await delivered(page)
  await expect.poll(() => page.getByLabel('Secret').inputValue()).toBe('')
  expect(await kept(page)).not.toContain('hunter2')
})

/** A channel in which “Approve” was pressed and can't be sent. */
async function openWaiting(path: string): Promise<Page> {
  const { page } = await openNewKeeping(hooks.at(path), buttons('Approve'))
  await page.route('**/interactions', route => route.abort())
  await press(page, 'Approve')
  await page.getByText('Waiting for a connection').first().waitFor()
  return page
}

test('signing out asks before it discards waiting interactions', async () => {
  const page = await openWaiting('/sign-out')
  await page.getByRole('link', { name: 'Account of' }).click()
  await press(page, 'Sign out here')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Sign out and delete 1 unsent interaction?').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await press(page, 'Sign out here')
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(await kept(page)).toBe('[]')
  expect(hooks.came('/sign-out')).toEqual([])
})

test('waiting interactions are dropped when another user signs in', async () => {
  const page = await openWaiting('/left')
  await expect.poll(() => kept(page)).toContain('approve')
  await page.context().clearCookies()
  await signUp(page, server.url)
  await expect.poll(() => kept(page)).toBe('[]')
  expect(hooks.came('/left')).toEqual([])
})

/** The interactions saved in this browser, as JSON. */
const kept = (page: Page) => savedIn(page, 'channel-feed-acts', 'acts')
