// Acts of the moment when a page goes: an IndexedDB transaction would be cut off then, this tab's storage is written
// at once. The next page takes them over. Where the browser allows no storage, nothing is kept.
import type { Act } from './act.ts'

const KEY = 'acts'

export function keepLastActs(acts: Act[]): void {
  if (acts.length > 0) attempt(() => sessionStorage.setItem(KEY, JSON.stringify(acts)))
}

/** What was kept, and keeps it no longer. */
export function takeLastActs(): Act[] {
  const kept = attempt<Act[]>(() => {
    const acts = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    sessionStorage.removeItem(KEY)
    return acts
  })
  return kept ?? []
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.warn('The last acts are not kept', error)
    return undefined
  }
}
