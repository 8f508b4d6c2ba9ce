// For localStorage and sessionStorage. They are synchronous, and a page that is closing has no time for IndexedDB.

/** Returns undefined if the browser forbids storage or has no space. `what` names the data in the console. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.warn(`Not saved: ${what}`, error)
    return undefined
  }
}
