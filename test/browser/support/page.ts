// Steps and places on a page that several tests use.
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Sends the form of the sign-up page that is open. */
export async function enterSignUp(page: Page, email: string): Promise<void> {
  await page.getByLabel('Name').fill('Ann')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
}

/** Signs up a new user. Resolves at the first run. */
export async function signUp(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-up`)
  await enterSignUp(page, `${crypto.randomUUID()}@example.com`)
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
}

/** Creates the workspace of the first run. */
export async function createFirstWorkspace(page: Page): Promise<void> {
  await page.getByLabel('Name').fill('Acme')
  await page.getByRole('button', { name: 'Create workspace' }).click()
  await page.getByRole('heading', { name: 'Create a channel' }).waitFor()
}

export async function enterCredentials(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Enters the password of a protected workspace. */
export async function unlock(page: Page, password: string): Promise<void> {
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Open' }).click()
}

/** Ends the session of the window as another device would. */
export async function endSession(page: Page, url: string): Promise<void> {
  const request = { data: {}, headers: { Origin: url }, failOnStatusCode: true }
  await page.context().request.post(`${url}/api/auth/sign-out`, request)
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

export const press = (page: Page, name: string) => page.getByRole('button', { name }).click()

/** Turns the wheel over the feed until `wanted` is visible. */
export async function scrollUntil(page: Page, wanted: Locator): Promise<void> {
  await page.locator('.feed-scroller').hover()
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 4_000)
      return wanted.isVisible()
    })
    .toBe(true)
}

/** The place of an element that is on the page. */
export async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (!box) throw new Error('the element is on the page')
  return box
}

export const expectFocus = (element: Locator) =>
  expect.poll(() => element.evaluate(one => one === document.activeElement)).toBe(true)

const TARGETS = 'button:not(.skip), summary, textarea, select, input, a:not(p a, .text a, .banner a)'

/** Controls that are too low for a finger. Links inside text and pictures of controls don't count. */
export const smallTargets = (page: Page) =>
  page.locator(`:is(${TARGETS}):visible`).evaluateAll(all =>
    all
      .filter(one => !one.closest('[inert]'))
      .map(one => {
        // A label around it and a pseudo-element over it take presses too.
        const heights = [one, one.closest('label')].map(box => box?.getBoundingClientRect().height ?? 0)
        const over = getComputedStyle(one, '::after')
        if (over.position === 'absolute') heights.push(Number.parseFloat(over.height))
        return { name: one.textContent || one.outerHTML, height: Math.max(...heights) }
      })
      .filter(({ height }) => height > 1 && height < 43.5),
  )
