// The bar that saves a settings page: what it sends, in which order, and what is asked before edits are lost.
import { expect, test } from 'vitest'
import { listedLabels } from './support/header-actions.ts'
import { expectFocus, press, section } from './support/page.ts'
import { failWith } from './support/requests.ts'
import {
  addAction,
  addAttribute,
  attributesOf,
  nothingUnsaved,
  openSettings,
  save,
  saveBar,
  saved,
  settingsOf,
  unsaved,
} from './support/settings.ts'
import { api, open, session, setStage } from './support/stage.ts'

setStage()

test('all edits of a page are discarded together', async () => {
  const { page } = await openSettings({ name: 'Guarded', attributes: { team: 'one' } })
  const part = section(page, 'General')
  await part.getByLabel('Name').fill('Half')
  await part.getByLabel('View only').check()
  await page.getByLabel('Value of team').fill('two')
  await addAction(page, 'New')
  await unsaved(page, 'General')
  await unsaved(page, 'Attributes')
  await unsaved(page, 'Header actions')
  await press(page, 'Discard')
  await nothingUnsaved(page)
  await expect.poll(() => part.getByLabel('Name').inputValue()).toBe('Guarded')
  await expect.poll(() => part.getByLabel('Interactive').isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('Value of team').inputValue()).toBe('one')
  await expect.poll(() => listedLabels(page)).toEqual([])
  // The bar is gone, and where the changes were has the focus.
  await expectFocus(part)
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.getByText('No interactions yet').waitFor()
})

test('leaving with edits offers to save them, to leave, or to stay', async () => {
  const { id, page } = await openSettings({ name: 'Guarded' })
  const name = section(page, 'General').getByLabel('Name')
  const question = page.getByRole('alertdialog')
  const leave = (answer: string) => question.getByRole('button', { name: answer, exact: true }).click()
  await name.fill('Better')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await question.getByText('1 unsaved change: name').waitFor()
  await leave('Stay')
  expect(page.url()).toContain(settingsOf(id))
  await expect.poll(() => name.inputValue()).toBe('Better')

  // What the server would reject keeps the person here.
  await name.fill('')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await leave('Save and leave')
  await page.getByText('Name is required').waitFor()
  expect(page.url()).not.toContain('/log')

  await name.fill('Better')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await leave('Save and leave')
  await page.waitForURL('**/log')
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ name: 'Better' })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await name.fill('Lost')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await leave('Leave')
  await page.waitForURL('**/log')
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ name: 'Better' })
})

test('nothing is sent if a field of any section would be rejected', async () => {
  const { id, page } = await openSettings({ attributes: { team: 'one' } })
  await section(page, 'General').getByLabel('Name').fill('Changed')
  await page.getByLabel('Value of team').fill('two')
  await addAttribute(page, 'Created_At', 'now')
  await save(page)
  await section(page, 'Attributes').getByText('Key is reserved').waitFor()
  expect(await attributesOf(id)).toMatchObject({ team: 'one' })
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ name: 'A channel' })
  await press(page, 'Delete the new attribute')
  await save(page)
  await saved(page)
  expect(await attributesOf(id)).toMatchObject({ team: 'two' })
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ name: 'Changed' })
})

test('if a part is refused, the bar says what was saved, and the rest stays unsaved', async () => {
  const { id, page } = await openSettings({ attributes: { team: 'one' } })
  await section(page, 'General').getByLabel('Name').fill('Changed')
  await page.getByLabel('Value of team').fill('two')
  await page.route(`**/api/channels/${id}`, failWith('internal_error'))
  await save(page)
  const alert = saveBar(page).getByRole('alert')
  await alert.getByText('Something went wrong on the server').waitFor()
  await alert.getByText('Not saved: General. Saved: Attributes.').waitFor()
  await saveBar(page).getByText('1 unsaved change: name').waitFor()
  expect(await attributesOf(id)).toMatchObject({ team: 'two' })
  await page.unroute(`**/api/channels/${id}`)
  await page.context().setOffline(true)
  await save(page)
  await alert.getByText('The server can’t be reached').waitFor()
  await page.context().setOffline(false)
  await save(page)
  await saved(page)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ name: 'Changed' })
})

test('a label is hidden before its workspace becomes public', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Opening' })
  await api.createChannel('One', { workspace_id: id, attributes: { customer: 'Acme' } })
  await session('PUT', `/workspaces/${id}/attribute-settings`, { key: 'customer', show_in_sidebar: true })
  const { page } = await open(`/dashboard/workspaces/${id}`)
  await section(page, 'Visibility').getByRole('radio', { name: 'Public' }).check()
  await page.getByLabel('Show customer as a label').uncheck()
  await page.route('**/attribute-settings', route =>
    route.request().method() === 'PUT' ? failWith('internal_error')(route) : route.fallback(),
  )
  await save(page)
  await saveBar(page).getByRole('alert').getByText('Something went wrong on the server').waitFor()
  expect(await session('GET', `/workspaces/${id}`)).toMatchObject({ visibility: 'private' })
  await page.unroute('**/attribute-settings')
  await save(page)
  await saved(page)
  expect(await session('GET', `/workspaces/${id}`)).toMatchObject({ visibility: 'public' })
})
