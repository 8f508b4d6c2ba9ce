// What viewers do in a channel, and what the page shows and saves about it.
import type { Page } from 'playwright-core'
import { interactionStatus, linkStatus } from './visit.ts'

/** The button of a press that went well. */
export const doneButton = (page: Page, name = '') => page.locator('.button-done', { hasText: name })

/** Waits until an interaction in the page is delivered. */
export const delivered = (page: Page) =>
  doneButton(page).or(interactionStatus(page, 'delivered')).first().waitFor()

export const replyBox = (page: Page) => page.getByRole('textbox', { name: 'Reply' })

export async function reply(page: Page, text: string): Promise<void> {
  await replyBox(page).fill(text)
  await replyBox(page).press('Enter')
}

export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await linkStatus(page, 'offline')
}

/** What the note about the connection says while that many interactions wait, such as “2 interactions”. */
export const waiting = (page: Page, count: string) =>
  page.locator('.offline-note').getByText(`${count} will be sent when you reconnect`).waitFor()

/** Types into the first field of a card and reloads in the same moment. */
export const typeAndReload = (page: Page, value: string) =>
  page.evaluate(value => {
    const field = document.querySelector<HTMLInputElement>('.field input')
    if (!field) throw new Error('the card has a field')
    field.value = value
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    location.reload()
  }, value)
