// Hands values to the tab's next page in the tab's storage. A page that is left has no time for IndexedDB.
import { tabStorage } from '../../lib/text-storage.ts'

export const COPY_IN_TAB = 'drafts:'

export const saveInTab = (key: string, value: object | boolean | number) =>
  tabStorage.write(key, JSON.stringify(value))

export function takeFromTab<T>(key: string): T | undefined {
  const value = tabStorage.readJson<T>(key)
  tabStorage.remove(key)
  return value
}

export function dropCopyInTab(): void {
  for (const key of tabStorage.keys()) if (key.startsWith(COPY_IN_TAB)) tabStorage.remove(key)
}

/**
 * Saves what `unsaved` returns when the page is left; the tab's next page calls `takeFromTab`. If this page returns instead, it
 * goes on as before. If both happen, its memory is out of date, so it loads again.
 */
export function handOver(key: string, unsaved: () => object | number | undefined) {
  const listening = new AbortController()
  const { signal } = listening
  let handed = false

  function save(): void {
    const value = unsaved()
    if (value === undefined) return
    saveInTab(key, value)
    handed = true
  }

  function goOn({ persisted }: PageTransitionEvent): void {
    if (!persisted || !handed) return
    handed = false
    if (takeFromTab(key) === undefined) location.reload()
  }

  window.addEventListener('pagehide', save, { signal })
  window.addEventListener('pageshow', goOn, { signal })
  return {
    /** Saves at once, such as for a value that is written while the page is being left. */
    save,
    stop: () => listening.abort(),
  }
}
