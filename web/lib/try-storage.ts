// For localStorage and sessionStorage, which are synchronous: a page that is closing has no time for IndexedDB.

/** Returns undefined if the browser forbids storage or has no room left. `what` names the lost data in the console. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.warn(`Not saved: ${what}`, error)
    return undefined
  }
}
