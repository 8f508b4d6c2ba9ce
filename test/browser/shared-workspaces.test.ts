// Workspaces of other people, as home, the navigation and the palette show them.
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { press } from './support/page.ts'
import { addPerson } from './support/people.ts'
import { api, server, setStage } from './support/stage.ts'
import { storedWith } from './support/stored.ts'
import { card, linkStatus, openChannel, PHONE } from './support/visit.ts'
import { makeWorkspace, openWorkspace } from './support/workspaces.ts'

setStage()

const SECRET = 'the launch code is 0000'

test('a viewer opens a shared workspace from home and leaves it, and the device keeps nothing of it', async () => {
  const workspace = await makeWorkspace('Launches', { channels: ['Countdown'] })
  const channel = workspace.ids[0] ?? ''
  await api.push(channel, [text(SECRET)])
  const { page } = await (await addPerson(workspace.id, 'viewer')).visit()
  await openChannel(page, server, channel)
  await card(page, SECRET).waitFor()
  await expect.poll(() => storedWith(page, SECRET)).not.toEqual([])
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor()
  const line = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Launches' })
  await line.getByText('Viewer').waitFor()
  for (const name of ['New channel', 'Settings'])
    expect(await page.getByRole('main').getByText(name).count()).toBe(0)
  await line.getByRole('link', { name: 'Launches' }).click()
  await linkStatus(page, 'live')
  await page.goBack()

  await press(page, 'Leave Launches')
  await page.getByRole('alertdialog').getByText('Only a new invite brings you back.').waitFor()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  await press(page, 'Leave Launches')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click()
  await page.getByText('You left Launches').waitFor()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
  for (const trace of [SECRET, 'Countdown', channel])
    await expect.poll(() => storedWith(page, trace)).toEqual([])
})

test('an editor works in a shared workspace as in an own one, and home keeps them apart', async () => {
  const workspace = await makeWorkspace('Operations', { channels: ['Deploys'] })
  const { session, visit } = await addPerson(workspace.id, 'editor')
  await session('POST', '/workspaces', { name: 'Own' })
  const { page } = await visit()
  await page.goto(server.url)
  const headings = page.getByRole('main').getByRole('heading')
  await expect
    .poll(async () => (await headings.allInnerTexts()).map(words => words.replace('🏢\n', '')))
    .toEqual(['Channels', 'Own', 'Shared with you', 'Operations'])
  await press(page, 'New channel in Operations')
  await page.getByRole('dialog').getByLabel('Name').fill('Alerts')
  await page.getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('heading', { name: 'Push your first card' }).waitFor()
  await page.goto(`${server.url}/dashboard/keys`)
  await press(page, 'New key')
  expect(await page.getByLabel('Workspace').locator('option').allTextContents()).toContain('🏢 Operations')
})

test('members find a shared workspace in the navigation and the palette, and no settings of it', async () => {
  const workspace = await makeWorkspace('Harbour')
  const { page } = await (await addPerson(workspace.id, 'member')).visit()
  await page.goto(`${server.url}/dashboard/keys`)
  const navigation = page.getByRole('navigation', { name: 'Dashboard' })
  await navigation.getByRole('link', { name: 'Harbour' }).waitFor()
  await press(page, 'New key')
  expect(await page.getByLabel('Workspace').locator('option').allTextContents()).toEqual(['All workspaces'])
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search c' }).fill('harbour')
  await page.getByRole('option', { name: 'Harbour' }).first().waitFor()
  expect(await page.getByRole('option').allInnerTexts()).toHaveLength(1)
  await page.keyboard.press('Enter')
  await page.waitForURL(workspace.url)
})

test('on a phone an editor leaves with the menu', async () => {
  const workspace = await makeWorkspace('Phones')
  const { page } = await (await addPerson(workspace.id, 'editor')).visit(PHONE)
  await page.goto(server.url)
  await page.getByRole('button', { name: 'Menu of Phones' }).tap()
  await page.getByRole('button', { name: 'Leave…' }).tap()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).tap()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
})

test('an editor sees how many cards of the owner are used', async () => {
  const workspace = await makeWorkspace('Limited')
  const { page } = await (await addPerson(workspace.id, 'editor')).visit()
  await page.route('**/api/usage?workspace_id=*', route =>
    route.fulfill({ json: { cards: { used: 940, limit: 1_000 } } }),
  )
  await page.goto(`${server.url}/dashboard/workspaces/${workspace.id}`)
  await page.getByRole('link', { name: 'Owner’s cards today 940 of 1,000' }).waitFor()
})

test('a member’s page of a workspace counts what needs them, and a viewer’s what waits', async () => {
  const workspace = await makeWorkspace('Asked', { channels: ['One', 'Two'] })
  for (const [role, word] of [
    ['member', 'Needs you'],
    ['viewer', 'Waiting'],
  ] as const) {
    const { page } = await (await addPerson(workspace.id, role)).visit()
    await openWorkspace(page, workspace)
    await page.getByRole('radio', { name: word }).waitFor()
    expect(await page.getByRole('link', { name: 'Workspace settings' }).count()).toBe(0)
  }
})

test('an editor’s home and navigation leave out the questions that only the owner may decide', async () => {
  const workspace = await makeWorkspace('Asked the owner', { channels: ['Deploys'] })
  const [deploys = ''] = workspace.ids
  await api.push(deploys, [text('Release?'), question({ who: 'owner' }, 'Approve')])
  const { page } = await (await addPerson(workspace.id, 'editor')).visit()
  await page.goto(server.url)
  const row = page.getByRole('row').filter({ hasText: 'Deploys' })
  await row.getByText('Waiting').waitFor()
  const counts = page.getByRole('navigation', { name: 'Dashboard' }).locator('.count')
  expect(await counts.allTextContents()).toEqual([])
  expect(await page.getByRole('list', { name: 'Needs attention' }).count()).toBe(0)

  await api.push(deploys, [text('Rollback?'), question({ who: 'members' }, 'Approve')])
  await row.getByText('Needs you').waitFor()
  await page.getByText('1 decision needs you').waitFor()
  await expect.poll(() => counts.allTextContents()).toEqual(['1 needs you'])
})
