// What several tests of the dashboard do on its pages.
import type { Page } from 'playwright-core'

/** Signs up on the page; nobody has signed in here before. Resolves at the first run. */
export async function signUp(page: Page, url: string, email: string): Promise<void> {
  await page.goto(`${url}/sign-up`)
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
}

/** A part of a settings page. */
export const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

/** Deletes what the page is about: the button, the name typed, the button of the dialog. */
export async function confirmDeletion(page: Page, what: string, name: string): Promise<void> {
  await page.getByRole('button', { name: what }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel(`Type “${name}” to confirm`).fill(name)
  await dialog.getByRole('button', { name: what }).click()
}
