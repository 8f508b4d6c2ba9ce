// The dashboard while a request is pending, or after someone else made the same change.
import { expect, test } from 'vitest'
import { actionsOf, labelsOf, listedLabels, openOrdered } from './support/header-actions.ts'
import { press, section } from './support/page.ts'
import { hold, makeGate } from './support/requests.ts'
import {
  attributesOf,
  createAttribute,
  deleteRow,
  focused,
  nothingUnsaved,
  openActionForm,
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
  await saved(page, 'General')
  await nothingUnsaved(page)
  const stored = { name: 'Sent', description: 'Typed meanwhile', mode: 'view' }
  expect(await session('GET', `/channels/${id}`)).toMatchObject(stored)
})

test('creating an action neither moves the focus nor clears newer input', async () => {
  const { page } = await openSettings()
  const actions = section(page, 'Header actions')
  const { sent, release } = await hold(page, '**/actions', 'POST')
  await openActionForm(page)
  await actions.getByLabel('Label').fill('First')
  await actions.getByLabel('Label').press('Enter')
  await sent
  await actions.getByLabel('Label').fill('Second, half')
  await section(page, 'General').getByLabel('Description').focus()
  release()
  await expect.poll(() => listedLabels(page)).toEqual(['First'])
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
  await expect.poll(() => actions.getByLabel('Label').inputValue()).toBe('Second, half')
})

test('a rejection does not move the focus away from another field', async () => {
  const { id, page } = await openSettings()
  const { release } = await hold(page, `**/api/channels/${id}`, 'PATCH')
  const webhook = section(page, 'Webhook')
  await webhook.getByLabel('Webhook URL').fill('ftp://example.com')
  await webhook.getByLabel('Webhook URL').press('Enter')
  await section(page, 'General').getByLabel('Description').focus()
  release()
  await webhook.getByText('Webhook URL must be').waitFor()
  await expect.poll(() => focused(page).getAttribute('name')).toBe('description')
})

test('an action created during another change stays', async () => {
  const { id, page } = await openOrdered()
  const { sent, release } = await hold(page, '**/actions/*', 'PATCH')
  await press(page, 'Edit Alpha')
  const row = section(page, 'Header actions').getByRole('listitem').first()
  await row.getByLabel('Label').fill('Better')
  await row.getByLabel('Label').press('Enter')
  await sent
  await openActionForm(page)
  const form = section(page, 'Header actions').locator('form').last()
  await form.getByLabel('Label').fill('Delta')
  await form.getByLabel('Label').press('Enter')
  await form.getByText('Creating…').waitFor()
  // Gives a wrongly parallel request the time to arrive.
  for (let i = 0; i < 5; i++) await labelsOf(id)
  release()
  await expect.poll(() => labelsOf(id)).toEqual(['Better', 'Beta', 'Gamma', 'Delta'])
  await expect.poll(() => form.getByLabel('Label').inputValue()).toBe('')
  await form.getByRole('button', { name: 'Create action' }).waitFor()
  await expect.poll(() => listedLabels(page)).toEqual(['Better', 'Beta', 'Gamma', 'Delta'])
})

test('an attribute created during another change stays', async () => {
  const { page } = await openAttributes({ team: 'one' })
  const part = section(page, 'Attributes')
  const { sent, release } = await hold(page, '**/attributes', 'PUT')
  await part.getByLabel('Value of team').fill('two')
  await part.getByLabel('Value of team').press('Enter')
  await sent
  await createAttribute(page, 'stage', 'new')
  release()
  await expect.poll(() => part.getByLabel('Key').inputValue()).toBe('')
  await part.getByLabel('Value of stage').waitFor()
  await expect.poll(() => part.getByLabel('Value of team').inputValue()).toBe('two')
  await expect.poll(() => part.getByLabel('Value of stage').count()).toBe(1)
})

test('deleting an action that is already deleted reports no error', async () => {
  const { id, page } = await openOrdered()
  await page.getByRole('button', { name: 'Delete Beta' }).waitFor()
  const [, beta] = await actionsOf(id)
  await session('DELETE', `/channels/${id}/actions/${beta?.id}`)
  await deleteRow(page, 'Beta')
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Gamma'])
  await expect.poll(() => section(page, 'Header actions').getByText('not found').count()).toBe(0)
})

test('emptying an attribute deletes it once and keeps the focus where the person moved it', async () => {
  const { page, sent } = await openAttributes({ region: 'eu', stage: 'test', team: 'payments' })
  await page.getByLabel('Value of stage').fill('')
  await page.getByLabel('Value of stage').press('Enter')
  await page.getByText('“stage” deleted').first().waitFor()
  expect(sent).toEqual(['{"stage":""}'])
  await expect.poll(() => page.getByText('” deleted').count()).toBe(1)

  await page.getByLabel('Value of region').fill('')
  await page.getByLabel('Value of team').click()
  await page.getByText('“region” deleted').waitFor()
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Value of team')
})

test('focusing a multi-line attribute does not change it', async () => {
  const { id, page, sent } = await openAttributes({ note: 'one\ntwo', team: 'payments' })
  await page.getByLabel('Value of note').focus()
  await page.keyboard.press('Tab')
  await page.getByLabel('Value of team').fill('platform')
  await page.getByLabel('Value of team').press('Enter')
  await expect.poll(() => sent).toContain('{"team":"platform"}')
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

test('creating an attribute that exists does not overwrite it', async () => {
  const { id, page } = await openAttributes({ team: 'payments' })
  await createAttribute(page, 'Team', 'other')
  await section(page, 'Attributes').getByRole('alert').getByText('Key').waitFor()
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

test('a change after the session ended says so', async () => {
  const { page } = await openOrdered()
  await page.getByRole('button', { name: 'Move Alpha' }).waitFor()
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Move Alpha' }).press('End')
  await section(page, 'Header actions').getByRole('alert').getByText('Your session has ended').waitFor()
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
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

test('editing one action keeps the unsaved edits of another', async () => {
  const { page } = await openOrdered()
  const rows = section(page, 'Header actions').getByRole('listitem')
  await press(page, 'Edit Alpha')
  await rows.nth(0).getByLabel('Label').fill('Half')
  await press(page, 'Edit Beta')
  await expect.poll(() => rows.nth(1).getByLabel('Label').inputValue()).toBe('Beta')
  await expect.poll(() => rows.nth(0).getByLabel('Label').inputValue({ timeout: 5_000 })).toBe('Half')
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
