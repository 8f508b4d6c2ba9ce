// Acts of the moment when a page goes: an IndexedDB transaction would be cut off then, this tab's storage is written
// at once. The next page takes them over. Where the browser allows no storage, nothing is kept.

import { attempt } from '../../lib/try-storage.ts'
import type { Act } from './interaction.ts'

const KEY = 'acts'
const WHAT = 'The last acts'

export function keepLastActs(acts: Act[]): void {
  if (acts.length > 0) attempt(WHAT, () => sessionStorage.setItem(KEY, JSON.stringify(acts)))
}

/** What was kept, and keeps it no longer. */
export function takeLastActs(): Act[] {
  const kept = attempt<Act[]>(WHAT, () => {
    const acts = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    sessionStorage.removeItem(KEY)
    return acts
  })
  return kept ?? []
}
