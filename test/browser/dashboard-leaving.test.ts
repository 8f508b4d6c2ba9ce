// Leaving a page of the dashboard with something half typed: by the browser's own ways, and where the session ends.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { api, browser, server, session, stageDashboard } from './support/dashboard-stage.ts'
import { section } from './support/page.ts'
import { signIn, visit } from './support/visit.ts'

stageDashboard({ WORKSPACE_LIMIT: '0' })

/** The settings of a channel, come to from home. */
async function openFromHome(id: string, name: string): Promise<Page> {
  const { page } = await visit(browser)
  await signIn(page, server)
  await page.goto(server.url)
  await page.getByRole('link', { name: `Settings of ${name}` }).click()
  await page.waitForURL(`**/dashboard/channels/${id}`)
  return page
}

test('a dialog with something entered asks before the browser’s way back takes it', async () => {
  const { id } = await api.createChannel('Behind')
  const page = await openFromHome(id, 'Behind')
  await page.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('button', { name: 'New key' }).click()
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

test('a session that is found to have ended when the network is back does not take what is half typed', async () => {
  const { id } = await api.createChannel('Ended')
  const page = await openFromHome(id, 'Ended')
  const description = section(page, 'General').getByLabel('Description')
  await description.fill('Half typed')
  await page.context().setOffline(true)
  await page.getByText('You are offline.').waitFor()
  await page.context().clearCookies()
  await page.context().setOffline(false)
  const question = page.getByRole('alertdialog')
  await question.getByText('Your changes under “General” are not saved.').waitFor()
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => description.inputValue()).toBe('Half typed')
  await signIn(page, server)
  await section(page, 'General').getByRole('button', { name: 'Save' }).click()
  await section(page, 'General').getByText('Saved', { exact: true }).waitFor()
  expect(await session('GET', `/channels/${id}`)).toMatchObject({ description: 'Half typed' })
})

test('without anything half typed it leads to the sign-in, and back', async () => {
  const { id } = await api.createChannel('Ended too')
  const page = await openFromHome(id, 'Ended too')
  await section(page, 'General').waitFor()
  await page.context().setOffline(true)
  await page.context().clearCookies()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await page.getByLabel('E-mail').fill(server.owner.email)
  await page.getByLabel('Password').fill(server.owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Ended too' }).waitFor()
})
