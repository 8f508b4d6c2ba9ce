// A store of IndexedDB. The browser may keep a page that is left, and a transaction of it would block the pages after it.
// So transactions end and the database closes when the page is left, and none begins. On return the work starts again.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { leavingSignal, pageShown } from '../../lib/page-life.ts'

/** Like idb-keyval's `createStore`. Work that runs in it may run twice. */
export function makeIndexedStore(database: string, name: string): UseStore {
  let opening: Promise<IDBDatabase> | undefined

  return async (mode, work) => {
    while (true) {
      await pageShown()
      const signal = leavingSignal()
      try {
        const opened = await Promise.race([open(signal), leavingOf(signal)])
        return await inTransaction(opened.transaction(name, mode), name, work, signal)
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }

  function open(signal: AbortSignal): Promise<IDBDatabase> {
    opening ??= request(signal)
    return opening
  }

  function request(signal: AbortSignal): Promise<IDBDatabase> {
    const request = indexedDB.open(database)
    request.onupgradeneeded = () => {
      request.result.createObjectStore(name)
      signal.addEventListener('abort', () => abort(request.transaction))
    }
    const opened = promisifyRequest(request)
    const forget = () => {
      if (opening === opened) opening = undefined
    }
    opened.then(result => {
      // Safari sometimes closes a connection.
      result.onclose = forget
      signal.addEventListener('abort', () => result.close())
      if (signal.aborted) result.close()
    }, forget)
    signal.addEventListener('abort', forget)
    return opened
  }
}

/** Rejects when the page is left. */
const leavingOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The page is left')))
  })

function inTransaction<T>(
  transaction: IDBTransaction,
  name: string,
  work: (store: IDBObjectStore) => T | PromiseLike<T>,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      // A transaction that is already being committed needs the page no more.
      if (abort(transaction)) reject(new Error('The page is left'))
    }
    const settled = () => signal.removeEventListener('abort', end)
    signal.addEventListener('abort', end)
    transaction.addEventListener('complete', settled)
    transaction.addEventListener('abort', () => {
      settled()
      reject(transaction.error)
    })
    if (signal.aborted) end()
    else Promise.resolve(work(transaction.objectStore(name))).then(resolve, reject)
  })
}

/** Returns false if it has ended. */
function abort(transaction: IDBTransaction | null): boolean {
  try {
    transaction?.abort()
    return true
  } catch {
    return false
  }
}
