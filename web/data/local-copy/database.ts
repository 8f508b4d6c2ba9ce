// Access to the local copy in IndexedDB. If IndexedDB can't be used (private windows, a full disk), the app runs
// without a local copy. After `stopWriting` nothing is written until the page loads again.
import { clear, delMany, get, keys, promisifyRequest, set, type UseStore, update } from 'idb-keyval'
import { applyChanges, type BlockChange, type BlockValues } from '../drafts/block-values.ts'
import { takeEarlyRead } from './early-read.ts'
import { makeStoreWithTimeout } from './store-with-timeout.ts'

let opened: UseStore | undefined
let writingStopped = false

export const stopWriting = () => (writingStopped = true)
export const isWritingStopped = () => writingStopped

async function attempt<T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> {
  try {
    opened ??= makeStoreWithTimeout('channel-feed', 'local')
    return await work(opened)
  } catch (error) {
    console.warn('The local copy is not available', error)
    return undefined
  }
}

export async function readEntry<T>(key: string): Promise<T | undefined> {
  const early = await takeEarlyRead<T>(key)
  return early ? early.value : attempt(store => get<T>(key, store))
}

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

export async function readEntries<T>(prefix: string): Promise<Map<string, T>> {
  const range = rangeOf(prefix)
  const found = await attempt(use =>
    use('readonly', store =>
      Promise.all([promisifyRequest(store.getAllKeys(range)), promisifyRequest<T[]>(store.getAll(range))]),
    ),
  )
  const [foundKeys, values] = found ?? [[], []]
  return new Map(values.map((value, i) => [String(foundKeys[i]), value]))
}

export async function writeEntry(key: string, value: unknown): Promise<boolean> {
  if (writingStopped) return false
  return (await attempt(store => set(key, value, store).then(() => true))) ?? false
}

/** Reads and writes in one transaction: another tab may write the same entry. */
export async function updateEntry<T>(key: string, change: (saved: T | undefined) => T): Promise<boolean> {
  if (writingStopped) return false
  return (await attempt(store => update<T>(key, change, store).then(() => true))) ?? false
}

/** Reads and writes in one transaction, so that an entry that is deleted meanwhile stays deleted. */
export const rewriteEntries = <T>(prefix: string, change: (saved: T) => T) =>
  attempt(use =>
    use('readwrite', store => {
      const entries = store.openCursor(rangeOf(prefix))
      entries.onsuccess = () => {
        entries.result?.update(change(entries.result.value))
        entries.result?.continue()
      }
      return promisifyRequest(store.transaction)
    }),
  )

export const updateBlockValues = <T>(key: string, changes: BlockChange<T>[]) =>
  updateEntry<BlockValues<T>>(key, saved => applyChanges(saved ?? {}, changes))

export const deleteEntries = (isDeleted: (key: string) => boolean) =>
  attempt(async store => delMany((await keys<string>(store)).filter(isDeleted), store))

export const deleteAllEntries = () => attempt(clear)
