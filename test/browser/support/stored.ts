// What a browser has stored on the device.
import type { Page } from 'playwright-core'

/** Where on the device `words` stand: IndexedDB, Cache Storage and both storages, whatever their form. */
export function storedWith(page: Page, words: string): Promise<string[]> {
  return page.evaluate(async sought => {
    const found: string[] = []
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const textOf = (value: unknown): string => {
      if (value instanceof Uint8Array) return new TextDecoder().decode(value)
      if (typeof value !== 'object' || value === null) return String(value)
      return Object.entries(value)
        .map(([key, part]) => `${key} ${textOf(part)}`)
        .join(' ')
    }
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await ask(indexedDB.open(name))
      for (const store of db.objectStoreNames) {
        const open = db.transaction(store).objectStore(store)
        const [keys, values] = [await ask(open.getAllKeys()), await ask(open.getAll())]
        keys.forEach((key, i) => {
          if (`${String(key)} ${textOf(values[i])}`.includes(sought))
            found.push(`${name}/${store}/${String(key)}`)
        })
      }
      db.close()
    }
    for (const cache of await caches.keys()) {
      for (const request of await (await caches.open(cache)).keys()) {
        const body = await (await caches.match(request))?.text()
        if (`${request.url} ${body}`.includes(sought)) found.push(request.url)
      }
    }
    for (const storage of [localStorage, sessionStorage])
      if (JSON.stringify(storage).includes(sought)) found.push('storage')
    return found
  }, words)
}
