// Leaving a dashboard page with unsaved edits: by the browser's back button, and when the session ends.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { press, section } from './support/page.ts'
import { save, saved, signInAsOwner } from './support/settings.ts'
import { api, open, server, session, setStage } from './support/stage.ts'
import { signIn } from './support/visit.ts'

setStage()

/** Opens the settings of a new channel from home. */
async function openFromHome(name: string): Promise<{ id: string; page: Page }> {
  const { id } = await api.createChannel(name)
  const { page } = await open('/')
  await page.getByRole('link', { name: `Settings of ${name}` }).click()
  await page.waitForURL(`**/dashboard/channels/${id}`)
  return { id, page }
}

test('a dialog with input asks before the browser’s back button closes it', async () => {
  const { page } = await openFromHome('Behind')
  await page.getByRole('link', { name: 'API keys' }).click()
  await press(page, 'New key')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Half')
  await page.evaluate(() => history.back())
  await dialog.getByText('Discard what you entered?').waitFor()
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Half')
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  await page.evaluate(() => history.back())
  await dialog.getByRole('button', { name: 'Discard' }).click()
  await dialog.waitFor({ state: 'hidden' })
})

test('a session that ended while offline keeps unsaved edits', async () => {
  const { id, page } = await openFromHome('Ended')
  const description = section(page, 'General').getByLabel('Description')
  await description.fill('Half typed')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().clearCookies()
  await page.context().setOffline(false)
  const question = page.getByRole('alertdialog')
  await question.getByText('Your changes under “General” aren’t saved.').waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => description.inputValue()).toBe('Half typed')
  await signIn(page, server)
  await save(page, 'General')
  await saved(page, 'General')
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ description: 'Half typed' })
})

test('without edits, an ended session leads to the sign-in and back', async () => {
  const { page } = await openFromHome('Ended too')
  await section(page, 'General').waitFor()
  await page.context().setOffline(true)
  await page.context().clearCookies()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await signInAsOwner(page)
  await page.getByRole('heading', { name: 'Ended too' }).waitFor()
})
