// The dashboard while a request is pending, or after someone else made the same change.
import { expect, test } from 'vitest'
import { actionsOf, listedLabels, openOrdered } from './support/header-actions.ts'
import { press, section } from './support/page.ts'
import { failWith, hold, makeGate } from './support/requests.ts'
import {
  addAction,
  addAttribute,
  attributesOf,
  focused,
  nothingUnsaved,
  openSettings,
  save,
  saveBar,
  saved,
  settingsOf,
  unsaved,
} from './support/settings.ts'
import { api, open, server, session, setStage } from './support/stage.ts'

setStage()

/** Opens the settings of a channel with attributes and records its PUT requests. */
async function openAttributes(attributes: Record<string, string>) {
  const { id, page } = await openSettings({ attributes })
  const sent: string[] = []
  page.on('request', request => {
    if (request.method() === 'PUT') sent.push(request.postData() ?? '')
  })
  return { id, page, sent }
}

test('text typed during a save stays as an unsaved edit', async () => {
  const { id, page } = await openSettings()
  const general = section(page, 'General')
  const { sent, release } = await hold(page, `**/api/channels/${id}`, 'PATCH')
  await general.getByLabel('Name').fill('  Sent  ')
  await general.getByLabel('View only').check()
  await save(page)
  await sent
  await general.getByLabel('Description').fill('Typed meanwhile')
  release()
  await expect.poll(() => general.getByLabel('Name').inputValue()).toBe('Sent')
  await expect.poll(() => general.getByLabel('Description').inputValue()).toBe('Typed meanwhile')
  await unsaved(page, 'General')
  await save(page)
  await saved(page)
  await nothingUnsaved(page)
  const stored = { name: 'Sent', description: 'Typed meanwhile', mode: 'view' }
  expect(await session('GET', `/channels/${id}`)).toMatchObject(stored)
})

test('saving a new action neither moves the focus nor clears what is typed meanwhile', async () => {
  const { page } = await openSettings()
  const { sent, release } = await hold(page, '**/actions', 'POST')
  const label = await addAction(page, 'First')
  await label.press('Enter')
  await sent
  await label.fill('First, and more')
  await section(page, 'General').getByLabel('Description').focus()
  release()
  const row = page.getByLabel('Label of First')
  await expect.poll(() => row.inputValue()).toBe('First, and more')
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
  await unsaved(page, 'Header actions')
  await save(page)
  await page.getByLabel('Label of First, and more').waitFor()
})

test('a rejection does not move the focus away from another field', async () => {
  const { id, page } = await openSettings()
  const name = section(page, 'General').getByLabel('Name')
  const { sent, release } = await hold(page, `**/api/channels/${id}/attributes`, 'PUT')
  await name.fill('Renamed')
  await addAttribute(page, 'team', 'one')
  await page.route(`**/api/channels/${id}`, failWith('field_invalid'))
  await save(page)
  await sent
  await section(page, 'General').getByLabel('Description').focus()
  release()
  await section(page, 'General').getByRole('alert').waitFor()
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
})

test('an attribute that is typed during a save stays as an unsaved one', async () => {
  const { id, page } = await openAttributes({ team: 'one' })
  const { sent, release } = await hold(page, '**/attributes', 'PUT')
  await page.getByLabel('Value of team').fill('two')
  await save(page)
  await sent
  await addAttribute(page, 'stage', 'new')
  release()
  await page.getByText('2 unsaved changes').waitFor()
  expect(await attributesOf(id)).toMatchObject({ team: 'two' })
  await save(page)
  await saved(page)
  await page.getByLabel('Value of stage').waitFor()
  expect(await attributesOf(id)).toMatchObject({ team: 'two', stage: 'new' })
})

test('deleting an action that is already deleted reports no error', async () => {
  const { id, page } = await openOrdered()
  await page.getByLabel('Label of Beta').waitFor()
  const [, beta] = await actionsOf(id)
  await session('DELETE', `/channels/${id}/actions/${beta?.id}`)
  await press(page, 'Delete Beta')
  await save(page)
  await saved(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Gamma'])
})

test('a multi-line attribute that nobody edits is not sent', async () => {
  const { id, page, sent } = await openAttributes({ note: 'one\ntwo', team: 'payments' })
  await page.getByLabel('Value of note').focus()
  await page.keyboard.press('Tab')
  await page.getByLabel('Value of team').fill('platform')
  await save(page)
  await saved(page)
  expect(sent).toEqual(['{"team":"platform"}'])
  expect(await attributesOf(id)).toMatchObject({ note: 'one\ntwo' })
})

test('CRLF line ends in a description are no edit', async () => {
  const { page } = await openSettings({ name: 'Windows', description: 'one\r\ntwo' })
  const general = section(page, 'General')
  await general.getByLabel('Name').fill('Windows 2')
  await saveBar(page).getByRole('button', { name: 'Discard' }).click()
  await nothingUnsaved(page)
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.getByText('No interactions yet').waitFor()
})

test('adding an attribute that exists does not overwrite it', async () => {
  const { id, page } = await openAttributes({ team: 'payments' })
  await addAttribute(page, 'Team', 'other')
  await save(page)
  await section(page, 'Attributes').getByText('Key is already in the list').waitFor()
  expect(await attributesOf(id)).toMatchObject({ team: 'payments' })
})

test('a channel is created once when its response is lost', async () => {
  const { page } = await open('/')
  await page.getByRole('button', { name: 'New channel in' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Made once')
  await page.route('**/api/channels', async route => {
    await route.fetch()
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await dialog.getByText('can’t be reached').waitFor()
  await page.unroute('**/api/channels')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await page.waitForURL('**/dashboard/start?channel=*')
  const channels = await session<{ name: string }[]>('GET', `/channels?workspace_id=${server.workspace_id}`)
  expect(channels.filter(({ name }) => name === 'Made once')).toHaveLength(1)
})

test('a save after the session ended says so, and keeps the changes', async () => {
  const { page } = await openOrdered()
  await page.getByLabel('Label of Alpha').fill('Other')
  await page.context().clearCookies()
  await save(page)
  await saveBar(page).getByRole('alert').getByText('Your session has ended').waitFor()
  await expect.poll(() => listedLabels(page)).toEqual(['Other', 'Beta', 'Gamma'])
})

test('a truncated or foreign response is a failure', async () => {
  const { id } = await api.createChannel('Cut')
  const { page } = await open('/')
  await page.getByRole('heading', { name: 'Channels', exact: true }).waitFor()
  const foreign = { status: 200, contentType: 'text/html', body: '<p>Sign in to this hotel' }
  await page.route(`**/api/channels/${id}`, route => route.fulfill(foreign))
  await page.goto(server.url + settingsOf(id))
  await page.getByRole('alert').getByText('The server can’t be reached').waitFor()
  await page.unroute(`**/api/channels/${id}`)
  await press(page, 'Try again')
  await page.getByRole('heading', { name: 'Cut', exact: true }).waitFor()
})

test('a channel whose name cannot be typed can be deleted', async () => {
  // Decomposed as on macOS, with a no-break space and a zero-width space.
  const name = 'Cafe\u0301\u00a0Zürich\u200b'.normalize('NFD')
  const { page } = await openSettings({ name })
  await press(page, 'Delete channel')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('textbox').fill('Café Zuric')
  await expect.poll(() => dialog.getByRole('button', { name: 'Delete channel' }).isEnabled()).toBe(false)
  await dialog.getByRole('textbox').fill('Café Zürich')
  await dialog.getByRole('button', { name: 'Delete channel' }).click({ timeout: 5_000 })
  await page.getByText('” deleted').waitFor()
})

test('a late failure of the first request does not replace the second response', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByText('Cards pushed today').waitFor()
  const failure = makeGate()
  await page.route('**/api/usage', route => failure.opened.then(() => route.abort()), { times: 1 })
  const failed = page.waitForEvent('requestfailed')
  await press(page, 'Refresh')
  await page.getByRole('status', { name: 'Loading the limits' }).waitFor()
  await press(page, 'Refresh')
  await page.getByText('Cards pushed today').waitFor()
  failure.open()
  await failed
  await page.getByRole('heading', { name: 'The last 30 days' }).waitFor()
  await expect.poll(() => page.getByRole('alert').filter({ hasText: 'reached' }).count()).toBe(0)
  await page.getByText('Cards pushed today').waitFor()
})
