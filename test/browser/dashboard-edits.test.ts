// Editing on the settings pages: drafts of lists, what a save sends, and what is asked before edits are lost.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { actionsOf, createOrdered, labelsOf, listedLabels, openOrdered } from './support/header-actions.ts'
import { boxOf, expectFocus, press, section } from './support/page.ts'
import { failWith } from './support/requests.ts'
import {
  attributesOf,
  nothingUnsaved,
  openSettings,
  save,
  saveBar,
  saved,
  settingsOf,
} from './support/settings.ts'
import { api, open, opened, server, session, setStage, signedIn } from './support/stage.ts'
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

test('header actions are reordered with the mouse, and open pages follow when they are saved', async () => {
  const { id, page, viewer } = await openBoth()
  await page.setViewportSize({ width: 1280, height: 1400 })
  const handle = page.getByRole('button', { name: 'Move Gamma', exact: true })
  await handle.waitFor()
  const from = await boxOf(handle)
  const to = await boxOf(page.getByRole('button', { name: 'Move Alpha', exact: true }))
  await page.mouse.move(from.x + 10, from.y + 10)
  await page.mouse.down()
  await page.mouse.move(to.x + 10, to.y + 2, { steps: 8 })
  await page.mouse.up()
  await expect.poll(() => listedLabels(page)).toEqual(['Gamma', 'Alpha', 'Beta'])
  await saveBar(page).getByText('order of header actions').waitFor()
  expect(await visibleLabels(viewer)).toEqual(['Alpha', 'Beta', 'Gamma'])
  await save(page)
  await saved(page)
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
  const handle = page.getByRole('button', { name: 'Move Alpha', exact: true })
  // Away from the edges, where the page would scroll along.
  await handle.evaluate(element => element.scrollIntoView({ block: 'center' }))
  const box = await boxOf(handle)
  const row = (await boxOf(page.getByRole('button', { name: 'Move Beta', exact: true }))).y - box.y
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
  await save(page)
  await saved(page)
  expect(await labelsOf(id)).toEqual(['Beta', 'Alpha', 'Gamma'])
})

test('reordering keeps an action that was created elsewhere meanwhile', async () => {
  const { id, page } = await openOrdered()
  await page.getByRole('button', { name: 'Move Alpha', exact: true }).press('End')
  await api.addAction(id, 'Delta', 'primary', 1)
  await save(page)
  await saved(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Gamma', 'Alpha', 'Delta'])
  expect(await labelsOf(id)).toEqual(['Beta', 'Gamma', 'Alpha', 'Delta'])
})

test('a deleted attribute or header action can be restored until it is saved', async () => {
  const attributes = { region: 'eu', team: 'payments', tier: '1' }
  const { id, page } = await openSettings({ attributes })
  for (const [position, label] of ['Alpha', 'Beta'].entries())
    await api.addAction(id, label, 'danger', position)
  await page.reload()
  const before = await actionsOf(id)
  for (const name of ['region', 'team', 'Alpha']) await press(page, `Delete ${name}`)
  await saveBar(page).getByText('3 unsaved changes').waitFor()
  // The button that deleted restores, and has the focus.
  await expectFocus(page.getByRole('button', { name: 'Restore Alpha' }))
  await press(page, 'Restore region')
  await press(page, 'Restore Alpha')
  await save(page)
  await saved(page)
  expect(await actionsOf(id)).toEqual(before)
  const { region, team, tier } = await attributesOf(id)
  expect([region, team, tier]).toEqual(['eu', undefined, '1'])
  await page.getByLabel('Value of team').waitFor({ state: 'hidden' })

  await press(page, 'Delete Beta')
  await saveBar(page).getByText('“Beta” deleted').waitFor()
  await save(page)
  await saved(page)
  await expect.poll(() => listedLabels(page)).toEqual(['Alpha'])
})

test('header actions are reordered by keyboard with announcements, or with the buttons of a row', async () => {
  const { page, viewer } = await openBoth()
  const handle = page.getByRole('button', { name: 'Move Alpha', exact: true })
  await handle.focus()
  await page.keyboard.press('ArrowDown')
  await page.getByText('Alpha: 2 of 3').waitFor({ state: 'attached' })
  await page.keyboard.press('End')
  await page.getByText('Alpha: 3 of 3').waitFor({ state: 'attached' })
  await expectFocus(handle)
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Gamma', 'Alpha'])

  await page.getByLabel('Label of Gamma').hover()
  await press(page, 'Move Gamma up')
  await save(page)
  await saved(page)
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Gamma', 'Beta', 'Alpha'])
})

test('an order that the server refuses stays unsaved, and can be saved again', async () => {
  const { id, page } = await openOrdered()
  await page.route('**/actions/order', failWith('internal_error'))
  await page.getByRole('button', { name: 'Move Alpha', exact: true }).press('End')
  await save(page)
  await saveBar(page).getByRole('alert').getByText('Something went wrong on the server').waitFor()
  await expect.poll(() => listedLabels(page)).toEqual(['Beta', 'Gamma', 'Alpha'])
  expect(await labelsOf(id)).toEqual(['Alpha', 'Beta', 'Gamma'])
  await page.unroute('**/actions/order')
  await save(page)
  await saved(page)
  expect(await labelsOf(id)).toEqual(['Beta', 'Gamma', 'Alpha'])
})

test('a header action is edited in its row, and open pages follow when it is saved', async () => {
  const { page, viewer } = await openBoth()
  const label = page.getByLabel('Label of Beta')
  await label.fill('')
  await save(page)
  await section(page, 'Header actions').getByText('Label of Beta is required').waitFor()
  await expectFocus(label)
  await label.fill('Better')
  await page.getByLabel('Style of Beta').selectOption('Danger')
  expect(await visibleLabels(viewer)).toEqual(['Alpha', 'Beta', 'Gamma'])
  // Enter saves, as in every field.
  await label.press('Enter')
  await saved(page)
  await expect.poll(() => visibleLabels(viewer)).toEqual(['Alpha', 'Better', 'Gamma'])
  await page.getByLabel('Style of Better').waitFor()
})

test('layouts are pictured with the workspace’s channels, without a connection to any of them', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Pictured' })
  const attributes = { team: 'north' }
  const channel = await api.createChannel('Fire brigade', { workspace_id: id, icon: '🚒', attributes })
  await api.push(channel.id, [text('Hose 3 is back')])
  await session('PUT', `/workspaces/${id}/attribute-settings`, { key: 'team', show_in_sidebar: true })
  const { page } = await signedIn()
  const connections: string[] = []
  const note = (url: string) => url.includes(channel.id) && connections.push(url)
  page.on('request', request => note(request.url()))
  page.on('websocket', socket => note(socket.url()))
  await page.goto(`${server.url}/dashboard/workspaces/${id}`)
  const layout = section(page, 'Layout')
  const picture = (name: string) => layout.locator(`.layout:has([aria-label="${name}"]) .layout-picture`)
  const rows = { List: '.list-line', Sidebar: '.side-line', Tabs: '.tab', Grid: '.tile' }
  for (const [name, row] of Object.entries(rows)) {
    await picture(name).locator(row, { hasText: 'Fire brigade' }).waitFor()
    await picture(name).getByText('Hose 3 is back').first().waitFor()
  }
  await picture('List').locator('.label', { hasText: 'north' }).waitFor()
  // Screen readers and the keyboard reach only the choices.
  expect(await layout.getByRole('radio').evaluateAll(all => all.map(one => one.ariaLabel))).toEqual(
    Object.keys(rows),
  )
  expect(await layout.getByRole('link').count()).toBe(0)
  expect(connections).toEqual([])
  expect(await page.evaluate(() => scrollY)).toBe(0)
})

test('a layout is used when it is saved', async () => {
  const { id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Laid out' })
  const { page } = await open(`/dashboard/workspaces/${id}`)
  const layout = section(page, 'Layout')
  const search = layout.getByRole('switch', { name: 'Search' })
  const pictured = layout.locator('.layout-picture').first().locator('.search')
  await pictured.waitFor()
  await layout.getByText('These are examples.').waitFor()
  await layout.getByRole('radio', { name: 'Tabs' }).check()
  await search.click()
  await pictured.waitFor({ state: 'detached' })
  await saveBar(page).getByText('2 unsaved changes').waitFor()
  const workspace = () => session('GET', `/workspaces/${id}`)
  expect(await workspace()).toMatchObject({ layout: 'sidebar', show_search: true })
  await save(page)
  await saved(page)
  expect(await workspace()).toMatchObject({ layout: 'tabs', show_search: false })
  await page.reload()
  await expect.poll(() => search.isChecked()).toBe(false)
  await layout.getByRole('radio', { name: 'Grid' }).check()
  await search.click()
  await press(page, 'Discard')
  await nothingUnsaved(page)
  await expect.poll(() => layout.getByRole('radio', { name: 'Tabs' }).isChecked()).toBe(true)
  await expect.poll(() => search.isChecked()).toBe(false)
})

test('the choices of a channel’s settings are saved', async () => {
  const { id, page } = await openSettings()
  const part = section(page, 'General')
  await part.getByLabel('Receipts').selectOption('Off')
  await part.getByLabel('View only').check()
  await save(page)
  await saved(page)
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ receipts: 'off', mode: 'view' })
  await nothingUnsaved(page)
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
