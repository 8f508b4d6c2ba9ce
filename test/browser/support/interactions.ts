// What viewers do in a channel, and what the page shows and saves about it.
import type { Page } from 'playwright-core'
import { interactionStatus, linkStatus } from './visit.ts'

/** Waits until an interaction in the page is delivered. */
export const delivered = (page: Page) => interactionStatus(page, 'delivered').waitFor()

export const replyBox = (page: Page) => page.getByRole('textbox', { name: 'Reply' })

export async function reply(page: Page, text: string): Promise<void> {
  await replyBox(page).fill(text)
  await replyBox(page).press('Enter')
}

export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await linkStatus(page, 'offline')
}

/** The status line while that many interactions wait, such as “2 actions”. */
export const waiting = (page: Page, count: string) =>
  page.locator('[data-link="offline"]').getByText(`Offline with ${count} waiting`).waitFor()

/** Types into the first field of a card and reloads in the same moment. */
export const typeAndReload = (page: Page, value: string) =>
  page.evaluate(value => {
    const field = document.querySelector<HTMLInputElement>('.field input')
    if (!field) throw new Error('the card has a field')
    field.value = value
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    location.reload()
  }, value)

/** What this browser saved in a store of IndexedDB, as JSON: the value of a key, or all values. */
export const savedIn = (page: Page, database: string, store: string, key?: string) =>
  page.evaluate(
    ([database, store, key]) =>
      new Promise<string>((resolve, reject) => {
        const open = indexedDB.open(database)
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const saved = open.result.transaction(store).objectStore(store)
          const read = key === undefined ? saved.getAll() : saved.get(key)
          read.onsuccess = () => resolve(JSON.stringify(read.result ?? null))
        }
      }),
    [database, store, key] as const,
  )
