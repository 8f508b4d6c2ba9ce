// The owner's home: what needs attention, and the search among the channels.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { decideElsewhere } from './support/decisions.ts'
import { expectFocus } from './support/page.ts'
import { makeSession, makeUser } from './support/session.ts'
import { api, open, server, setStage, signedIn } from './support/stage.ts'
import { linkStatus, PHONE } from './support/visit.ts'
import { makeWorkspace } from './support/workspaces.ts'

setStage()

const ask = () => [text('Release 2.5.0'), question({}, 'Approve', 'Hold')]
const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name })
const attention = (page: Page) => page.getByRole('list', { name: 'Needs attention' })
const find = (page: Page) => page.getByRole('searchbox', { name: 'Find a channel' })

/** The navigation's count of decisions. */
const navCount = (page: Page) =>
  page.getByRole('navigation', { name: 'Dashboard' }).locator('.count').allTextContents()

test('a decision in a view-only channel waits, but needs nobody', async () => {
  const workspace = await makeWorkspace('Viewed')
  const id = await workspace.addChannel('Only viewed')
  await api.patchChannel(id, { mode: 'view' })
  const { page } = await open(`/?workspace=${workspace.id}`)
  await row(page, 'Only viewed').waitFor()
  const before = await navCount(page)
  await api.push(id, ask())
  await page.reload()
  await row(page, 'Only viewed').getByText('Waiting').waitFor()
  await expect.poll(() => attention(page).count()).toBe(0)
  await expect.poll(() => page.getByRole('radio', { name: 'Needs you' }).count()).toBe(0)
  await expect.poll(() => navCount(page)).toEqual(before)
})

test('a decision made elsewhere clears the attention and the navigation’s count', async () => {
  const workspace = await makeWorkspace('Asked')
  const id = await workspace.addChannel('Deploys')
  const { page } = await open(`/?workspace=${workspace.id}`)
  await row(page, 'Deploys').waitFor()
  const before = await navCount(page)
  const { id: cardId } = await api.push(id, ask())
  const review = attention(page).getByRole('link', { name: 'Review' })
  await expect.poll(() => review.getAttribute('href')).toBe(`/c/${id}?show=you`)
  await expect.poll(() => navCount(page)).not.toEqual(before)
  await decideElsewhere(id, cardId, 'approve')
  await attention(page).waitFor({ state: 'detached' })
  await expect.poll(() => navCount(page)).toEqual(before)
})

test('the search and the filter are still there after a channel was open', async () => {
  const workspace = await makeWorkspace('Searched', { channels: ['Deploys', 'Billing'] })
  for (const id of workspace.ids) await api.push(id, ask())
  const { page } = await open(`/?workspace=${workspace.id}`)
  await page.getByText('Needs you').first().click()
  await find(page).fill('deploy')
  await row(page, 'Billing').waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('find')).toBe('deploy')
  await row(page, 'Deploys').getByRole('link').click()
  await linkStatus(page, 'live')
  await page.goBack()
  await row(page, 'Deploys').waitFor()
  await expect.poll(() => find(page).inputValue()).toBe('deploy')
  await expect.poll(() => page.getByRole('radio', { name: 'Needs you' }).isChecked()).toBe(true)
  await expect.poll(() => row(page, 'Billing').count()).toBe(0)
})

test('a pressed button that disappears hands its focus on', async () => {
  const channels = Array.from({ length: 22 }, (_, i) => `Channel ${i + 1}`)
  const workspace = await makeWorkspace('Many', { channels })
  const { page } = await open(`/?workspace=${workspace.id}`)
  await page.getByRole('button', { name: 'Show 2 more' }).press('Enter')
  await expectFocus(page.getByRole('row').nth(21).getByRole('link'))
  await find(page).fill('nothing like it')
  await page.getByRole('button', { name: 'Show all' }).press('Enter')
  await page.getByRole('row').nth(20).waitFor()
  await expectFocus(page.getByRole('main'))
})

test('home names the only workspace; with several, the columns have visible headings once', async () => {
  const owner = await makeUser(server)
  const send = await makeSession({ url: server.url, owner })
  async function make(name: string, channel: string): Promise<void> {
    const { id } = await send<{ id: string }>('POST', '/workspaces', { name })
    await send('POST', '/channels', { workspace_id: id, name: channel, mode: 'view' })
  }
  await make('Alone', 'To read')
  const { page } = await signedIn({}, owner)
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Alone', level: 2 }).waitFor()
  await row(page, 'To read').getByText('View only', { exact: true }).waitFor()

  await make('Second', 'Also to read')
  await page.reload()
  await row(page, 'Also to read').waitFor()
  const heights = page
    .locator('.channel-table thead')
    .evaluateAll(all => all.map(one => Math.round(one.getBoundingClientRect().height)))
  expect((await heights).filter(height => height > 1)).toHaveLength(1)
  // Screen readers hear them in each table.
  expect(await page.getByRole('columnheader', { name: 'Last card' }).count()).toBe(2)
})

test('on a phone, the links of a workspace are in a menu', async () => {
  const workspace = await makeWorkspace('In the hand', { channels: ['One'] })
  const { page } = await open('/', PHONE)
  const part = page.getByRole('region', { name: 'In the hand' })
  await part.getByRole('button', { name: 'Menu of In the hand' }).tap()
  await page.getByRole('link', { name: 'Open workspace' }).waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).tap()
  await page.waitForURL(`**/dashboard/workspaces/${workspace.id}`)
})
