// Interactions that can't be sent at once: they wait, even across reloads and tabs, and are sent once and in order.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { valueIn } from './support/hooks.ts'
import {
  api,
  browser,
  buttons,
  goOffline,
  hooks,
  openedKeeping,
  reply,
  server,
  setStage,
  waiting,
} from './support/stage.ts'
import { interactionStatus, linkStatus, openChannel, signIn, visit, visitKeeping } from './support/visit.ts'

setStage()

test('offline interactions survive a reload, and are sent once, in order, with the values seen then', async () => {
  const { id } = await api.createChannel('Offline', hooks.at('/offline'))
  const pushed = await api.push(id, [
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'input', id: 'seen', label: 'Seen', value: 'as it was' },
    { type: 'toggle', id: 'sure', label: 'Sure', send_on_change: true },
    buttons('Approve', 'Reject'),
  ])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await page.getByLabel('Note').fill('Written offline')
  const acted = Date.now()
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approve: Waiting for a connection').first().waitFor()
  await page.getByLabel('Sure').check()
  await reply(page, 'And a word')
  await waiting(page, '3 actions')
  // A second click on the same button adds nothing.
  await page.getByRole('button', { name: 'Approve' }).click({ force: true })

  await page.reload()
  await waiting(page, '3 actions')
  await page.getByText('Approve: Waiting for a connection').waitFor()
  await page.getByText('And a word').waitFor()
  await page.getByRole('button', { name: 'Reject' }).click()
  await waiting(page, '4 actions')
  await api.patch(id, pushed.id, { blocks: [{ id: 'seen', patch: { value: 'changed meanwhile' } }] })
  expect(hooks.came('/offline')).toEqual([])

  const back = Date.now()
  await page.context().setOffline(false)
  await linkStatus(page, 'live')
  const all = await hooks.hooks('/offline', 4)
  expect(all.map(({ trigger }) => trigger.label ?? trigger.value ?? trigger.text)).toEqual([
    'Approve',
    true,
    'And a word',
    'Reject',
  ])
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
  const { id } = await api.createChannel('Tabs', hooks.at(path))
  await api.push(id, [buttons('Approve', 'Reject', 'Later')])
  const { page } = await visitKeeping(browser)
  // Browsers have no locks on http in a local network.
  if (!locks) {
    await page.context().addInitScript(() => {
      Object.defineProperty(Navigator.prototype, 'locks', { value: undefined })
    })
  }
  await signIn(page, server)
  await openChannel(page, server, id)
  const other = await page.context().newPage()
  await openChannel(other, server, id)
  let posts = 0
  page.context().on('response', response => {
    if (response.request().method() === 'POST' && response.url().endsWith('/interactions')) posts++
  })
  await goOffline(page)
  await linkStatus(other, 'offline')
  await page.getByRole('button', { name: 'Approve' }).click()
  await other.getByText('Approve: Waiting for a connection').first().waitFor()
  await other.getByRole('button', { name: 'Reject' }).click()
  await waiting(page, '2 actions')
  await waiting(other, '2 actions')
  await page.getByRole('button', { name: 'Later' }).click()
  await waiting(other, '3 actions')

  posts = 0
  await page.context().setOffline(false)
  const all = await hooks.hooks(path, 3)
  expect(all.map(({ trigger }) => trigger.label)).toEqual(['Approve', 'Reject', 'Later'])
  for (const tab of [page, other]) {
    await interactionStatus(tab, 'delivered').getByText('Later: Delivered').waitFor()
    await linkStatus(tab, 'live')
  }
  if (locks) expect(posts).toBe(3)
  // Webhooks arrive in order, so nothing else comes after this one.
  await reply(other, 'The end')
  const labels = (await hooks.hooks(path, 4)).map(({ trigger }) => trigger.label ?? trigger.text)
  expect(labels).toEqual(['Approve', 'Reject', 'Later', 'The end'])
})

test('an interaction right before a reload is kept', async () => {
  const { id } = await api.createChannel('At once', hooks.at('/at-once'))
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await page.getByRole('textbox', { name: 'Reply' }).fill('To the last letter')
  await page.evaluate(() => {
    const box = document.querySelector('.reply textarea')
    box?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
    location.reload()
  })
  await waiting(page, '1 action')
  await page.context().setOffline(false)
  const [hook] = await hooks.hooks('/at-once', 1)
  expect(hook?.trigger.text).toBe('To the last letter')
})

test('a change typed right before a reload is sent', async () => {
  const { id } = await api.createChannel('Typed', hooks.at('/typed'))
  await api.push(id, [{ type: 'input', id: 'note', label: 'Note', send_on_change: true }])
  const { page } = await openedKeeping(id)
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('.field input')
    if (!field) throw new Error('the card has a field')
    field.value = 'To the last letter'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    location.reload()
  })
  const [hook] = await hooks.hooks('/typed', 1)
  expect(hook?.trigger.value).toBe('To the last letter')
})

test('an interaction is sent even if the browser allows no storage', async () => {
  const { id } = await api.createChannel('No storage', hooks.at('/no-storage'))
  await api.push(id, [buttons('Approve')])
  const { page, faults } = await visit(browser)
  await signIn(page, server)
  await page.addInitScript(() => {
    const refused = () => new DOMException('Access is denied for this document.', 'SecurityError')
    const refuse = () => {
      throw refused()
    }
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get: refuse })
    IDBFactory.prototype.open = refuse
    LockManager.prototype.request = () => Promise.reject(refused())
  })
  await openChannel(page, server, id)
  await page.getByRole('button', { name: 'Approve' }).click()
  await interactionStatus(page, 'delivered').waitFor()
  await page.getByRole('button', { name: /^Theme/ }).click()
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset.theme)).toBe('light')
  expect(faults).toEqual([])
})

test('waiting interactions are sent from any page, even after the browser was closed', async () => {
  const { id } = await api.createChannel('Closed', hooks.at('/closed'))
  await api.push(id, [buttons('Approve')])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await page.getByRole('button', { name: 'Approve' }).click()
  await waiting(page, '1 action')
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
  const { id } = await api.createChannel('Password', hooks.at('/password'))
  await api.push(id, [
    { type: 'input', id: 'secret', label: 'Secret', input_type: 'password' },
    buttons('Approve'),
  ])
  const { page } = await openedKeeping(id)
  await goOffline(page)
  await page.getByLabel('Secret').fill('hunter2hunter2')
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('The password stays on this device until then').first().waitFor()
  await page.context().setOffline(false)
  const [hook] = await hooks.hooks('/password', 1)
  expect(valueIn(hook, 'secret')).toBe('hunter2hunter2')
  await interactionStatus(page, 'delivered').waitFor()
  await expect.poll(() => page.getByLabel('Secret').inputValue()).toBe('')
  expect(await kept(page)).not.toContain('hunter2')
})

test('signing out asks before it discards waiting interactions', async () => {
  const { id } = await api.createChannel('Sign out', hooks.at('/sign-out'))
  await api.push(id, [buttons('Approve')])
  const { page } = await openedKeeping(id)
  await page.route('**/interactions', route => route.abort())
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Waiting for a connection').first().waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByText('Sign out and discard 1 action not sent yet?').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor()
  expect(await kept(page)).toBe('[]')
  expect(hooks.came('/sign-out')).toEqual([])
})

test('waiting interactions are dropped when another user signs in', async () => {
  const { id } = await api.createChannel('Left waiting', hooks.at('/left'))
  await api.push(id, [buttons('Approve')])
  const { page } = await openedKeeping(id)
  await page.route('**/interactions', route => route.abort())
  await page.getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Waiting for a connection').first().waitFor()
  await expect.poll(() => kept(page)).toContain('approve')
  await page.context().clearCookies()
  await page.goto(`${server.url}/sign-up`)
  await page.getByLabel('Name').fill('Next')
  await page.getByLabel('E-mail').fill('next@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect.poll(() => kept(page)).toBe('[]')
  expect(hooks.came('/left')).toEqual([])
})

/** The interactions saved in this browser, as JSON. */
function kept(page: Page): Promise<string> {
  return page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const open = indexedDB.open('channel-feed-acts')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const all = open.result.transaction('acts').objectStore('acts').getAll()
          all.onsuccess = () => resolve(JSON.stringify(all.result))
        }
      }),
  )
}
