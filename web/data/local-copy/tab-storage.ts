// Hands values to the tab's next page in sessionStorage: unloading would abort an IndexedDB transaction.
import { attempt } from '../../lib/try-storage.ts'

export const COPY_IN_TAB = 'drafts:'
const WHAT = 'The last changes'

export function saveInTab(key: string, value: object | boolean): void {
  attempt(WHAT, () => sessionStorage.setItem(key, JSON.stringify(value)))
}

export function takeFromTab<T>(key: string): T | undefined {
  return attempt(WHAT, () => {
    const saved = sessionStorage.getItem(key)
    sessionStorage.removeItem(key)
    return saved === null ? undefined : JSON.parse(saved)
  })
}

export function dropCopyInTab(): void {
  attempt(WHAT, () => {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(COPY_IN_TAB)) sessionStorage.removeItem(key)
  })
}
