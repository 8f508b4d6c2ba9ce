// localStorage and sessionStorage. They are synchronous: a page that is being left has no time for IndexedDB. Where the
// browser forbids them or has no space, nothing is kept.

/** `open` throws if the browser forbids the storage. */
function makeTextStorage(open: () => Storage) {
  function attempt<T>(work: (storage: Storage) => T): T | undefined {
    try {
      return work(open())
    } catch (error) {
      console.warn('This browser keeps nothing', error)
      return undefined
    }
  }

  return {
    read: (key: string) => attempt(storage => storage.getItem(key)) ?? null,
    /** Undefined if nothing that can be read is kept. */
    readJson: <T>(key: string): T | undefined =>
      attempt(storage => JSON.parse(storage.getItem(key) ?? 'null') ?? undefined),
    write: (key: string, text: string) => attempt(storage => storage.setItem(key, text)),
    remove: (key: string) => attempt(storage => storage.removeItem(key)),
    keys: () => attempt(Object.keys) ?? [],
  }
}

/** For all tabs, and for good. */
export const deviceStorage = makeTextStorage(() => localStorage)
/** For the pages of one tab, one after another. */
export const tabStorage = makeTextStorage(() => sessionStorage)
