// A workspace's page by keyboard: keys of the browser and of input methods, and a focus that is never lost.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { sideNames } from './support/sidebar.ts'
import { api, setStage } from './support/stage.ts'
import { makeWorkspace, openAsOwner } from './support/workspaces.ts'

setStage()

const three = (name: string, settings: object = {}) =>
  makeWorkspace(name, { ...settings, channels: ['One', 'Two', 'Three'] })

const open = async (...args: Parameters<typeof openAsOwner>) => (await openAsOwner(...args)).page

const box = (page: Page) => page.getByRole('searchbox', { name: 'Search channels' })
const focused = (page: Page) => page.locator(':focus').textContent()
const hasFocus = (page: Page, selector: string) =>
  expect.poll(() => page.locator(`${selector}:focus`).count()).toBe(1)

/** Sends a key as the browser or an input method would. Resolves with whether the page handled it. */
const press = (page: Page, init: { key: string; altKey?: boolean; isComposing?: boolean }) =>
  page.evaluate(init => {
    const event = new KeyboardEvent('keydown', { ...init, bubbles: true, cancelable: true })
    return document.activeElement?.dispatchEvent(event) === false
  }, init)

test.each(['sidebar', 'list', 'grid'])(
  '/ focuses the search field; Escape clears it, then leaves it: %s',
  async layout => {
    const page = await open(await three(`Searched as ${layout}`, { layout }))
    await page.keyboard.press('/')
    await hasFocus(page, '.search input')
    await page.keyboard.type('two')
    await page.keyboard.press('Escape')
    await expect.poll(() => box(page).inputValue()).toBe('')
    await hasFocus(page, '.search input')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.locator('.search input:focus').count()).toBe(0)
  },
)

test('keys of an input method are left alone', async () => {
  const page = await open(await three('Composed'))
  await box(page).fill('one')
  await box(page).focus()
  for (const key of ['ArrowDown', 'Escape']) expect(await press(page, { key, isComposing: true })).toBe(false)
  await hasFocus(page, '.search input')
  await expect.poll(() => box(page).inputValue()).toBe('one')
})

test('Alt and an arrow are left to the browser, even on a tab', async () => {
  const page = await open(await three('Way back', { layout: 'tabs' }))
  await page.getByRole('tab', { name: 'Three' }).click()
  expect(await press(page, { key: 'ArrowLeft', altKey: true })).toBe(false)
  await expect.poll(() => page.getByRole('tab', { name: 'Three' }).getAttribute('aria-selected')).toBe('true')
  expect(await press(page, { key: 'ArrowLeft' })).toBe(true)
  await expect.poll(() => page.getByRole('tab', { name: 'Two' }).getAttribute('aria-selected')).toBe('true')
})

test('the arrow keys follow the tabs of a page that reads from right to left', async () => {
  const page = await open(await three('Turned around', { layout: 'tabs' }))
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  await page.getByRole('tab', { name: 'One' }).press('ArrowLeft')
  await expect.poll(() => page.getByRole('tab', { name: 'Two' }).getAttribute('aria-selected')).toBe('true')
})

test.each(['sidebar', 'list', 'grid', 'tabs'])(
  'another channel takes the focus of a deleted one: %s',
  async layout => {
    const workspace = await three(`Deleted as ${layout}`, { layout })
    const page = await open(workspace)
    const role = layout === 'tabs' ? 'tab' : 'link'
    const two = page.getByRole(role, { name: /Two/ })
    if (layout === 'tabs') await two.click()
    await two.focus()
    await api.deleteChannel(workspace.ids[1] ?? '')
    await two.waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toContain('One')
  },
)

test('typing in the search field continues when the layout changes', async () => {
  const workspace = await three('Typing')
  const page = await open(workspace)
  await box(page).pressSequentially('th')
  await workspace.set({ layout: 'list' })
  await page.locator('.list-line').first().waitFor()
  await hasFocus(page, '.search input')
  await page.keyboard.type('r')
  await expect.poll(() => box(page).inputValue()).toBe('thr')
})

test('buttons that disappear when pressed pass on the focus', async () => {
  const workspace = await makeWorkspace('Handed on')
  for (let i = 1; i <= 11; i++)
    await workspace.addChannel(`Channel ${i}`, { attributes: { team: `Team ${i}` } })
  await workspace.showAttribute('team', { use_as_filter: true })
  const page = await open(workspace, '?filter.team=Team+11')
  // The chosen value is visible and not among the hidden ones.
  await page.getByRole('button', { name: '2 more' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toContain('Team 9')
  await expect.poll(() => page.locator('.filter-value').count()).toBe(11)

  await box(page).fill('nothing like it')
  await page.getByRole('button', { name: 'Clear' }).focus()
  await page.keyboard.press('Enter')
  await hasFocus(page, '.search input')
  await expect.poll(() => sideNames(page)).toHaveLength(11)
})

test('forced colours mark the open channel', async () => {
  for (const [layout, line, edge, pseudo] of [
    ['sidebar', '.side-line', 'borderInlineStart', null],
    ['tabs', '.tab', 'borderBottom', '::after'],
  ] as const) {
    const page = await open(await three(`Forced ${layout}`, { layout }), '', { forcedColors: 'active' })
    await page.locator(line).nth(2).waitFor()
    const edges = await page
      .locator(line)
      .evaluateAll((lines, { edge, pseudo }) => lines.map(one => getComputedStyle(one, pseudo)[edge]), {
        edge,
        pseudo,
      })
    expect(edges[0]).not.toBe(edges[1])
    expect(edges[1]).toBe(edges[2])
  }
})
