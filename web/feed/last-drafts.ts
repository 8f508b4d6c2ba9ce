// The drafts of the moment when a page goes: an IndexedDB transaction would be cut off then, this tab's storage is
// written at once. The next page takes them over. Where the browser allows no storage, nothing is kept.
import type { Drafts } from './local-copy.ts'

const PREFIX = 'drafts:'

export function keepLastDrafts(channelId: string, drafts: Drafts): void {
  attempt(() => sessionStorage.setItem(PREFIX + channelId, JSON.stringify(drafts)))
}

/** What was kept, and keeps it no longer. */
export function takeLastDrafts(channelId: string): Drafts | undefined {
  return attempt(() => {
    const kept = sessionStorage.getItem(PREFIX + channelId)
    sessionStorage.removeItem(PREFIX + channelId)
    return kept === null ? undefined : JSON.parse(kept)
  })
}

export function dropLastDrafts(): void {
  attempt(() => {
    for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key)
  })
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.warn('The last drafts are not kept', error)
    return undefined
  }
}
