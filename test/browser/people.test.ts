// The section People of a workspace's settings: roles, removals, transfers and invites.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { expectFocus, section } from './support/page.ts'
import { addPerson } from './support/people.ts'
import { api, open, openAsGuest, server, setStage } from './support/stage.ts'
import { makeWorkspace } from './support/workspaces.ts'

setStage()

const settingsOf = ({ id }: { id: string }) => `/dashboard/workspaces/${id}`
const people = (page: Page) => section(page, 'People')
const row = (page: Page, name: string) => people(page).getByRole('listitem').filter({ hasText: name })
const item = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const dialog = (page: Page) => page.getByRole('alertdialog')

/** Opens the menu of a person's role, and chooses. */
async function choose(page: Page, person: string, what: string): Promise<void> {
  await people(page)
    .getByRole('button', { name: `role of ${person}` })
    .click()
  await item(page, what).click()
}

/** How the API answers this key. */
async function statusOf(key: string): Promise<number> {
  const headers = { Authorization: `Bearer ${key}` }
  return (await fetch(`${server.url}/api/v1/workspaces`, { headers })).status
}

test('an owner invites: the link is shown once, works, and is revoked', async () => {
  const workspace = await makeWorkspace('Invited')
  const { page } = await open(settingsOf(workspace))
  await people(page).getByText('Only you can see this workspace').waitFor()
  await item(page, 'Create link').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Editor').check()
  await form.getByLabel('For', { exact: true }).selectOption('5 people')
  await form.getByLabel('Valid for').selectOption('14 days')
  await form.getByRole('button', { name: 'Create link' }).click()
  const link = await people(page).locator('[data-secret]').innerText()
  await people(page).getByRole('button', { name: 'Copy the link' }).waitFor()
  await row(page, 'Editor, for anyone with the link').getByText('5 uses left').waitFor()
  const { page: guest } = await openAsGuest(link.slice(link.indexOf('/join')))
  await guest.getByRole('heading', { name: 'Join Invited' }).waitFor()

  await item(page, 'Done').click()
  expect(await page.content()).not.toContain(link)
  await page.reload()
  await row(page, 'Editor, for anyone with the link').waitFor()
  expect(await page.content()).not.toContain(link)

  await page.getByRole('button', { name: 'Revoke: Editor' }).click()
  await dialog(page).getByRole('button', { name: 'Revoke invite' }).click()
  await people(page).getByText('Only you can see this workspace').waitFor()
  await guest.reload()
  await guest.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor()
})

test('an invite for one address is for one person', async () => {
  const workspace = await makeWorkspace('Addressed')
  const { page } = await open(settingsOf(workspace))
  await item(page, 'Create link').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('E-mail').fill('not an address')
  await form.getByLabel('For', { exact: true }).waitFor({ state: 'detached' })
  await form.getByRole('button', { name: 'Create link' }).click()
  await form.getByText('E-mail (optional) must be a valid e-mail address').waitFor()
  await form.getByLabel('E-mail').fill('ann@example.com')
  await form.getByRole('button', { name: 'Create link' }).click()
  await row(page, 'Member, for ann@example.com').getByText('1 use left').waitFor()
})

test('roles change with the keyboard, and what is done is said', async () => {
  const workspace = await makeWorkspace('Roles')
  await addPerson(workspace.id, 'viewer', 'Ann')
  const { page } = await open(settingsOf(workspace))
  await row(page, 'Owner').getByText('You', { exact: true }).waitFor()
  expect(await people(page).getByRole('button', { name: 'role of Owner' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Viewer, role of Ann' }).press('Enter')
  await expectFocus(item(page, 'Owner…'))
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expectFocus(item(page, 'Member'))
  await page.keyboard.press('Enter')
  await people(page).getByText('Ann is a member now.').waitFor()
  await expectFocus(page.getByRole('button', { name: 'Member, role of Ann' }))
  // What was changed at once is no unsaved change.
  expect(await page.getByText(/unsaved change/).count()).toBe(0)
})

test('removing a person says which keys end and which questions ask nobody else, and ends the keys', async () => {
  const workspace = await makeWorkspace('Removed', { channels: ['Deploys'] })
  const ann = await addPerson(workspace.id, 'editor', 'Ann')
  const { key } = await ann.session<{ key: string }>('POST', '/api-keys', {
    name: 'Nightly import',
    workspace_id: workspace.id,
  })
  await ann.session('POST', '/api-keys', { name: 'Everywhere' })
  await api.push(workspace.ids[0] ?? '', [text('Go?'), question({ who: [ann.user.email] }, 'Go', 'Wait')])
  expect(await statusOf(key)).toBe(200)
  const { page } = await open(settingsOf(workspace))
  await choose(page, 'Ann', 'Remove…')
  await dialog(page).getByText('Remove Ann?').waitFor()
  await dialog(page).getByText('This API key ends: “Nightly import”.').waitFor()
  await dialog(page).getByText('1 waiting question asks only Ann.').waitFor()
  await item(page, 'Cancel').click()
  await row(page, 'Ann').waitFor()
  expect(await statusOf(key)).toBe(200)
  await choose(page, 'Ann', 'Remove…')
  await item(page, 'Remove').click()
  await people(page).getByText('Only you can see this workspace').waitFor()
  await people(page).getByText('Ann was removed.').waitFor()
  await page.locator('main:focus').waitFor()
  expect(await statusOf(key)).toBe(401)
})

test('an editor who becomes a member is asked about only if keys end', async () => {
  const workspace = await makeWorkspace('Lowered')
  const ann = await addPerson(workspace.id, 'editor', 'Ann')
  await addPerson(workspace.id, 'editor', 'Bob')
  await ann.session('POST', '/api-keys', { name: 'Deploys', workspace_id: workspace.id })
  const { page } = await open(settingsOf(workspace))
  await choose(page, 'Bob', 'Member')
  await people(page).getByText('Bob is a member now.').waitFor()
  await choose(page, 'Ann', 'Viewer')
  await dialog(page).getByText('Make Ann a viewer?').waitFor()
  await dialog(page).getByText('This API key ends: “Deploys”.').waitFor()
  await item(page, 'Change role').click()
  await people(page).getByText('Ann is a viewer now.').waitFor()
})

test('a transfer says what happens, and the settings of owners go to the new owner', async () => {
  const workspace = await makeWorkspace('Handed over')
  const ann = await addPerson(workspace.id, 'editor', 'Ann')
  const { page } = await open(settingsOf(workspace))
  await section(page, 'Danger zone').waitFor()
  await choose(page, 'Ann', 'Owner…')
  await dialog(page).getByText('Make Ann the owner of Handed over?').waitFor()
  await dialog(page).getByText('You become an editor').waitFor()
  await dialog(page).getByText('New cards and channels count against Ann’s limits.').waitFor()
  await item(page, 'Transfer workspace').click()
  await people(page).getByText('Ann is the owner now, and you are an editor.').waitFor()
  for (const name of ['Visibility', 'Danger zone'])
    await expect.poll(() => section(page, name).count()).toBe(0)
  await row(page, 'You').getByText('Editor').waitFor()
  const { page: hers } = await ann.visit()
  await hers.goto(server.url + settingsOf(workspace))
  await section(hers, 'Danger zone').waitFor()
})

test('an editor sees only what an editor may use', async () => {
  const workspace = await makeWorkspace('Edited', { channels: ['Deploys'] })
  const ann = await addPerson(workspace.id, 'editor', 'Ann')
  await addPerson(workspace.id, 'editor', 'Bob')
  await addPerson(workspace.id, 'member', 'Cleo')
  const { page } = await ann.visit()
  await page.goto(server.url + settingsOf(workspace))
  await row(page, 'Cleo').waitFor()
  for (const name of ['Visibility', 'Danger zone']) expect(await section(page, name).count()).toBe(0)
  await expect
    .poll(() => people(page).getByRole('button', { name: 'role of' }).allTextContents())
    .toEqual(['Member'])
  await people(page).getByRole('button', { name: 'role of Cleo' }).click()
  await expect
    .poll(() => page.locator('.menu:popover-open .menu-item').allTextContents())
    .toEqual(['Member', 'Viewer', 'Remove…'])
  await page.keyboard.press('Escape')
  await item(page, 'Create link').click()
  await expect.poll(() => page.getByRole('dialog').getByRole('radio').count()).toBe(2)
  await page.keyboard.press('Escape')

  await section(page, 'General').getByLabel('Name').fill('Edited by Ann')
  await page.keyboard.press('Enter')
  await page.locator('.toast').getByText('Saved').waitFor()
  await section(page, 'Channels').getByRole('link', { name: 'Deploys' }).click()
  await section(page, 'Danger zone').waitFor()
})

test('an editor leaves from the settings', async () => {
  const workspace = await makeWorkspace('Left')
  const ann = await addPerson(workspace.id, 'editor', 'Ann')
  await ann.session('POST', '/api-keys', { name: 'Deploys', workspace_id: workspace.id })
  const { page } = await ann.visit()
  await page.goto(server.url + settingsOf(workspace))
  await row(page, 'Ann').getByRole('button', { name: 'Leave…' }).click()
  await dialog(page).getByText('This API key ends: “Deploys”.').waitFor()
  await item(page, 'Leave').click()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
})

test('people who don’t run a workspace have no settings of it', async () => {
  const workspace = await makeWorkspace('Not run')
  const { page } = await (await addPerson(workspace.id, 'viewer', 'Ann')).visit()
  await page.goto(server.url + settingsOf(workspace))
  await page.getByRole('link', { name: 'Open workspace' }).waitFor()
  await page.getByText('Only the owner and editors can change this workspace').waitFor()
})
