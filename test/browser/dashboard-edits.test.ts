// Editing on the settings pages: optimistic changes, rollbacks, undo, and questions before edits are lost.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { actionsOf, createOrdered, labelsOf, listedLabels, openOrdered } from './support/header-actions.ts'
import { boxOf, expectFocus, press, section } from './support/page.ts'
import { failWith, hold } from './support/requests.ts'
import {
  deleteRow,
  focused,
  nothingUnsaved,
  openActionForm,
  openSettings,
  save,
  saveBar,
  saved,
  settingsOf,
  undo,
  unsaved,
} from './support/settings.ts'
import { api, open, opened, session, setStage } from './support/stage.ts'
import { PHONE } from './support/visit.ts'

setStage()

/** The settings of a channel with three header actions, and its open page. */
async function openBoth() {
  const settings = await openOrdered()
  return { ...settings, viewer: (await opened(settings.id)).page }
}

async function visibleLabels(viewer: Page): Promise<string[]> {
  const labels = await viewer.locator('.channel-head button').allTextContents()
  return labels.map(label => label.trim())
}

test('header actions are reordered with the mouse, and open pages follow', async () => {
  const { id, page, viewer } = await openBoth()
  await page.setViewportSize({ width: 1280, height: 1400 })
  const handle = page.getByRole('button', { name: 'Move Gamma' })
  await handle.waitFor()
  const from = await boxOf(handle)
  const to = await boxOf(page.getByRole('button', { name: 'Move Alpha' }))
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 2, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => listedLabels(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Gamma', 'Alpha', 'Beta'])
  expect((await actionsOf(id)).map(({ position }) => position)).toEqual([0, 1, 2])

  // Let go with Escape, nothing has moved.
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(from.x + 10, from.y + 40, { steps: 4 })
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect.poll(() => listedLabels(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
})

test('header actions are reordered by touch', async () => {
  const id = await createOrdered()
  const { page } = await open(settingsOf(id), PHONE)
  const handle = page.getByRole('button', { name: 'Move Alpha' })
  // Away from the edges, where the page would scroll along.
  await handle.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = await boxOf(handle)
  const row = (await boxOf(page.getByRole('button', { name: 'Move Beta' }))).y - box.y
  const touch = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) =>
    touch.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: type === 'touchEnd' ? [] : [{ x: box.x + 12, y: box.y + 12 + y }],
    })
  await send('touchStart', 0)
  for (const part of [0.2, 0.6, 1, 1.2]) await send('touchMove', row * part)
  await send('touchEnd', row)
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Alpha', 'Gamma'])
  await expect.poll(() => labelsOf(id)).toEqual(['Beta', 'Alpha', 'Gamma'])
})

test('reordering keeps an action that was created elsewhere meanwhile', async () => {
  const { id, page } = await openOrdered()
  await page.getByRole('button', { name: 'Move Alpha' }).waitFor()
  await api.addAction(id, 'Delta', 'primary', 1)
  await page.getByRole('button', { name: 'Move Alpha' }).press('End')
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Gamma', 'Alpha', 'Delta'])
  expect(await labelsOf(id)).toEqual(['Beta', 'Gamma', 'Alpha', 'Delta'])
})

test('undo works from another page', async () => {
  const { id, page } = await openOrdered()
  await deleteRow(page, 'Beta')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Move Gamma' }).waitFor()
  await press(page, 'Undo')
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
  expect(await labelsOf(id)).toEqual(['Alpha', 'Beta', 'Gamma'])
})

test('each of many deletions can be undone', async () => {
  const attributes = { region: 'eu', stage: 'test', team: 'payments', tier: '1', zone: 'b' }
  const { page } = await openSettings({ attributes })
  for (const name of Object.keys(attributes)) await deleteRow(page, name)
  await page.locator('.toast', { hasText: '“region”' }).getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Delete region' }).waitFor()
})

test('header actions are reordered by keyboard with announcements, and open pages follow', async () => {
  const { page, viewer } = await openBoth()
  await page.getByRole('button', { name: 'Move Alpha' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Alpha: 2 of 3').waitFor({ state: 'attached' })
  await page.keyboard.press('End')
  await page.getByText('Alpha: 3 of 3').waitFor({ state: 'attached' })
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Move Alpha')
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Gamma', 'Alpha'])
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Beta', 'Gamma', 'Alpha'])

  await press(page, 'Edit Gamma')
  await press(page, 'Move up')
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Gamma', 'Beta', 'Alpha'])
})

test('a rejected order is rolled back with its error, and the handle keeps the focus', async () => {
  const { id, page } = await openOrdered()
  await page.route('**/actions/order', failWith('action_not_found'))
  const handle = page.getByRole('button', { name: 'Move Alpha' })
  for (const key of ['End', 'ArrowDown']) {
    await handle.press(key)
    await section(page, 'Header actions').getByRole('alert').getByText('no longer there').waitFor()
    await expectFocus(handle)
  }
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
  expect(await labelsOf(id)).toEqual(['Alpha', 'Beta', 'Gamma'])
})

test('a header action is edited in place, and open pages follow', async () => {
  const { page, viewer } = await openBoth()
  const part = section(page, 'Header actions')
  await press(page, 'Edit Beta')
  const form = part.getByRole('listitem').filter({ hasText: 'Beta' })
  await form.getByLabel('Label').fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Label is required').waitFor()
  await form.getByLabel('Label').fill('Better')
  await form.getByLabel('Style').selectOption('danger')
  await form.getByLabel('Label').press('Enter')
  await part.locator('.swatch.button-danger', { hasText: 'Better' }).waitFor()
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Alpha', 'Better', 'Gamma'])
  await press(page, 'Edit Better')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('Edit Better')
})

test('undo restores a header action with its id and place', async () => {
  const { id, page, viewer } = await openBoth()
  const before = await actionsOf(id)
  await press(page, 'Delete Beta')
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Alpha', 'Gamma'])
  await page.getByText('“Beta” deleted').waitFor()
  await undo(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha', 'Beta', 'Gamma'])
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Alpha', 'Beta', 'Gamma'])
  expect(await actionsOf(id)).toEqual(before)
})

test('a layout choice saves at once, its preview follows, and a rejected one is rolled back', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Pictured' })
  await api.createChannel('Fire brigade', { workspace_id: id, icon: '🚒', attributes: { team: 'north' } })
  const { page } = await open(`/dashboard/workspaces/${id}`)
  const layout = section(page, 'Layout')
  const picture = layout.locator('.layout-now')
  await page.getByLabel('Show team as a label').check()
  await picture.locator('.mini-label', { hasText: 'north' }).waitFor()
  await layout.getByRole('radio', { name: 'Tabs' }).check()
  await picture.locator('.mini-tab', { hasText: 'Fire brigade' }).waitFor()
  const search = layout.getByRole('switch', { name: 'Search' })
  await search.click()
  const workspace = () => session('GET', `/workspaces/${id}`)
  await expect.poll(workspace).toMatchObject({ layout: 'tabs', show_search: false })
  await page.reload()
  await expect.poll(() => search.isChecked()).toBe(false)

  await page.route(`**/api/workspaces/${id}`, failWith('internal_error'))
  await layout
    .getByRole('radio', { name: 'Grid' })
    .check({ force: true })
    .catch(() => undefined)
  await layout.getByRole('alert').getByText('Something went wrong on the server').waitFor()
  await expect.poll(() => layout.getByRole('radio', { name: 'Tabs' }).isChecked()).toBe(true)
  await picture.locator('.mini-tab').waitFor()
})

test('the choices of a channel’s settings are saved', async () => {
  const { id, page } = await openSettings()
  const part = section(page, 'General')
  await part.getByLabel('Receipts').selectOption('Off')
  await part.getByLabel('View only').check()
  await save(page)
  await saved(page, 'General')
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ receipts: 'off', mode: 'view' })
  await nothingUnsaved(page)
})

test('a form with edits can discard them, and asks before leaving', async () => {
  const { id, page } = await openSettings({ name: 'Guarded' })
  const part = section(page, 'General')
  await part.getByLabel('Name').fill('Half')
  await unsaved(page, 'General')
  await saveBar(page).getByRole('button', { name: 'Discard' }).click()
  await expect.poll(() => part.getByLabel('Name').inputValue()).toBe('Guarded')
  await nothingUnsaved(page)

  await part.getByLabel('View only').check()
  await page.getByRole('link', { name: 'Feed', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  expect(page.url()).toContain('/dashboard/channels/')
  await expect.poll(() => part.getByLabel('View only').isChecked()).toBe(true)
  await save(page)
  await saved(page, 'General')
  await (await openActionForm(page)).fill('Not added')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await question.getByText('Your changes under “Header actions” aren’t saved.').waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await section(page, 'Header actions').getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await part.getByLabel('Description').fill('Lost')
  await page.getByRole('link', { name: 'Feed', exact: true }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(`**/c/${id}`)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ mode: 'view', description: null })
})

test('a dialog with input asks before Escape or the browser’s back button closes it', async () => {
  const { page } = await open('/')
  await page.getByRole('link', { name: 'API keys' }).click()
  await press(page, 'New key')
  const dialog = page.getByRole('dialog')
  const name = dialog.getByLabel('Name')
  await name.fill('Half')
  const goBack = () => page.evaluate(() => history.back())
  for (const close of [() => page.keyboard.press('Escape'), goBack]) {
    await close()
    await dialog.getByText('Discard what you entered?').waitFor()
    await dialog.getByRole('button', { name: 'Keep editing' }).click()
    await expect.poll(() => name.inputValue()).toBe('Half')
  }
  await goBack()
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a long list of attributes is filtered by name', async () => {
  const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`key-${i + 1}`, `v${i + 1}`]))
  const { page } = await openSettings({ attributes })
  const part = section(page, 'Attributes')
  await part.getByText('A channel can have 100 attributes at most.').waitFor()
  await part.getByLabel('Find an attribute').fill('KEY-77')
  await expect.poll(() => part.getByRole('listitem').count()).toBe(1)
  await expect.poll(() => part.getByLabel('Value of key-77').inputValue()).toBe('v77')
  await part.getByLabel('Find an attribute').fill('nothing')
  await part.getByText('No results for “nothing”.').waitFor()
})

test('undo keeps an order made since the deletion', async () => {
  const { id, page } = await openOrdered()
  await deleteRow(page, 'Beta')
  await page.getByRole('button', { name: 'Move Gamma' }).press('Home')
  await expect.poll(() => labelsOf(id)).toEqual(['Gamma', 'Alpha'])
  await undo(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
  expect(await labelsOf(id)).toEqual(['Gamma', 'Alpha', 'Beta'])
})

test('undo from another page keeps an order made since the deletion', async () => {
  const { id, page } = await openOrdered()
  await deleteRow(page, 'Alpha')
  await page.getByRole('link', { name: 'Log', exact: true }).click()
  const [beta, gamma] = await actionsOf(id)
  await session('PUT', `/channels/${id}/actions/order`, { action_ids: [gamma?.id, beta?.id] })
  await undo(page)
  expect(await labelsOf(id)).toEqual(['Alpha', 'Gamma', 'Beta'])
})

test('a slow undo still reports its result', async () => {
  const { page } = await openOrdered()
  await page.clock.install()
  const { sent, release } = await hold(page, '**/actions/*', 'PUT')
  await press(page, 'Delete Beta')
  await press(page, 'Undo')
  await page.mouse.move(5, 5)
  await sent
  await page.clock.fastForward(14_000)
  release()
  await page.getByText('Undone', { exact: true }).waitFor()
})
