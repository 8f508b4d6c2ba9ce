// The drafts of the moment when a page goes: an IndexedDB transaction would be cut off then, this tab's storage is
// written at once. The next page takes them over. Where the browser allows no storage, nothing is kept.
import { attempt } from '../../lib/try-storage.ts'

const PREFIX = 'drafts:'
const WHAT = 'The last drafts'

/** `name`: whose drafts they are, a channel's id or the card builder. */
export function keepLastDrafts(name: string, drafts: object): void {
  attempt(WHAT, () => sessionStorage.setItem(PREFIX + name, JSON.stringify(drafts)))
}

/** What was kept, and keeps it no longer. */
export function takeLastDrafts<T>(name: string): T | undefined {
  return attempt(WHAT, () => {
    const kept = sessionStorage.getItem(PREFIX + name)
    sessionStorage.removeItem(PREFIX + name)
    return kept === null ? undefined : JSON.parse(kept)
  })
}

export function dropLastDrafts(): void {
  attempt(WHAT, () => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
}
