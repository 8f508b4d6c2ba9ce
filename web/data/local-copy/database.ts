// Access to the local copy in IndexedDB. If IndexedDB can't be used (private windows, a full disk), the app runs
// without a local copy. After `stopWriting` nothing is written until the page loads again.
// Everything here takes as long as IndexedDB takes. Whatever a person waits for goes through `inTime`.
import { clear, get, promisifyRequest, set, type UseStore, update } from 'idb-keyval'
import { applyChanges, type BlockValues, type ValueChange } from '../drafts/block-values.ts'
import { makeAnswers } from './answers.ts'
import { takeEarlyRead } from './early-read.ts'
import { makeIndexedStore } from './indexed-store.ts'

const local = makeIndexedStore('channel-feed', 'local')
let writingStopped = false

const { onAnswer, inTime } = makeAnswers()

export { inTime }

export const stopWriting = () => (writingStopped = true)
export const isWritingStopped = () => writingStopped

async function attempt<T>(work: (store: UseStore) => Promise<T>): Promise<T | undefined> {
  try {
    return await work(local)
  } catch (error) {
    console.warn('The local copy is not available', error)
    return undefined
  } finally {
    onAnswer()
  }
}

export async function readEntry<T>(key: string): Promise<T | undefined> {
  const early = await takeEarlyRead<T>(key)
  return early ? early.value : attempt(store => get<T>(key, store))
}

const rangeOf = (prefix: string) => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

export async function readEntries<T>(prefix: string): Promise<Map<string, T>> {
  const found = await attempt(use =>
    use('readonly', store => {
      const range = rangeOf(prefix)
      return Promise.all([
        promisifyRequest(store.getAllKeys(range)),
        promisifyRequest<T[]>(store.getAll(range)),
      ])
    }),
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

/**
 * Reads and writes in one transaction, so that an entry that is deleted meanwhile stays deleted. An entry that `change` returns
 * as it is isn't written.
 */
export const rewriteEntries = <T>(prefix: string, change: (saved: T) => T) =>
  attempt(use =>
    use('readwrite', store => {
      const entries = store.openCursor(rangeOf(prefix))
      entries.onsuccess = () => {
        const { result } = entries
        if (!result) return
        const changed = change(result.value)
        if (changed !== result.value) result.update(changed)
        result.continue()
      }
      return promisifyRequest(store.transaction)
    }),
  )

export const updateBlockValues = <T>(key: string, changes: ValueChange<T>[]) =>
  updateEntry<BlockValues<T>>(key, saved => applyChanges(saved ?? {}, changes))

/** In one transaction, so that it deletes nothing that is written later. */
export const deleteEntries = (isDeleted: (key: string) => boolean) =>
  attempt(use =>
    use('readwrite', store => {
      const keys = store.getAllKeys()
      keys.onsuccess = () => {
        for (const key of keys.result) if (isDeleted(String(key))) store.delete(key)
      }
      return promisifyRequest(store.transaction)
    }),
  )

export const deleteAllEntries = () => attempt(clear)
