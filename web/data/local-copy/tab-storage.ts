// Saves values while the page unloads. An IndexedDB transaction would be cut off then; the tab's sessionStorage is
// written at once, and the next page in the tab takes the values over.
import { attempt } from '../../lib/try-storage.ts'

/** Keys of drafts start with this. */
export const DRAFTS_IN_TAB = 'drafts:'
const WHAT = 'The last changes'

export function saveInTab(key: string, value: object): void {
  attempt(WHAT, () => sessionStorage.setItem(key, JSON.stringify(value)))
}

/** Returns the saved value and removes it. */
export function takeFromTab<T>(key: string): T | undefined {
  return attempt(WHAT, () => {
    const saved = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return saved === null ? undefined : JSON.parse(saved)
  })
}

export function dropDraftsInTab(): void {
  attempt(WHAT, () => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(DRAFTS_IN_TAB)) sessionStorage.removeItem(key)
  })
}
