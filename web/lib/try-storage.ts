// localStorage and sessionStorage: they are written at once, where IndexedDB would take a moment.

/** Where the browser allows no storage, or has no room left, it is undefined. `what` is not kept then. */
export function attempt<T>(what: string, work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    console.warn(`${what} are not kept`, error)
    return undefined
  }
}
