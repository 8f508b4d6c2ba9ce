// The icon picker of the settings pages.
import { expect, test } from 'vitest'
import { press, section } from './support/page.ts'
import { focused, openSettings, save } from './support/settings.ts'
import { open, session, setStage } from './support/stage.ts'

setStage()

test('the icon picker works by keyboard: search, arrow keys, recent icons first', async () => {
  const { id, page } = await openSettings({ icon: '📡' })
  const icon = section(page, 'General').getByLabel('Icon')
  const choose = page.getByRole('button', { name: 'Choose' })
  const cell = (name: string) => page.getByRole('button', { name, exact: true })
  await choose.focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Search emojis').waitFor()
  await page.keyboard.type('police car li')
  await cell('police car light').waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => icon.inputValue()).toBe('🚨')
  await expect.poll(() => focused(page).textContent()).toContain('Choose')

  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Recent' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('police car light')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('grinning face')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => focused(page).getAttribute('aria-label')).toBe('grinning face')
  await page.keyboard.type('rock')
  await expect.poll(() => page.getByLabel('Search emojis').inputValue()).toBe('rock')
  await cell('rocket').click()
  await expect.poll(() => icon.inputValue()).toBe('🚀')
  await page.keyboard.press('Enter')
  await page.getByLabel('Search emojis').fill('👍🏽')
  await page.keyboard.press('Enter')
  await expect.poll(() => icon.inputValue()).toBe('👍🏽')
  await save(page)
  await expect.poll(() => session('GET', `/channels/${id}`)).toMatchObject({ icon: '👍🏽' })
})

test('the icon picker opens again right after a pick', async () => {
  const { page } = await openSettings({ icon: '📡' })
  await press(page, 'Choose')
  const search = page.getByLabel('Search emojis')
  await search.fill('police car li')
  await page.getByRole('button', { name: 'police car light', exact: true }).waitFor()
  await search.evaluate(input => {
    input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    if (document.activeElement instanceof HTMLElement) document.activeElement.click()
  })
  await page.getByRole('region', { name: 'Recent' }).waitFor()
  await expect.poll(() => search.inputValue()).toBe('')
})

test('Escape closes the icon picker, not its dialog', async () => {
  const { page } = await open('/')
  await press(page, 'New channel in Demo')
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByRole('button', { name: 'Choose' }).click()
  await page.getByLabel('Search emojis').fill('qqxx')
  await page.getByText('No results for “qqxx”.').waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Search emojis').waitFor({ state: 'hidden' })
  await expect.poll(() => dialog.isVisible()).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
})
