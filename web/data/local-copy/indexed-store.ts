// A store of IndexedDB. The browser may keep a page that is left, and what a transaction of it locks is locked for the pages
// after it: in WebKit sometimes even if the transaction was aborted. So the store belongs to an empty frame. When the page is
// left, the frame is removed, and its transactions end with it. On return the work starts again in a new frame.
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
        return await untilLeft(signal, run(signal, mode, work))
      } catch (error) {
        if (!signal.aborted) throw error
      }
    }
  }

  async function run<T>(
    signal: AbortSignal,
    mode: IDBTransactionMode,
    work: (store: IDBObjectStore) => T | PromiseLike<T>,
  ): Promise<T> {
    opening ??= open(signal)
    const opened = await opening
    // Its objects have the frame's prototypes, which not every library takes for plain ones.
    return structuredClone(await work(opened.transaction(name, mode).objectStore(name)))
  }

  function open(signal: AbortSignal): Promise<IDBDatabase> {
    const forget = () => {
      if (opening === opened) opening = undefined
    }
    const opened = frameOf(signal).then(({ contentWindow }) => {
      if (!contentWindow) throw new Error('The page is left')
      const request = contentWindow.indexedDB.open(database)
      request.onupgradeneeded = () => request.result.createObjectStore(name)
      return promisifyRequest(request)
    })
    opened.then(result => {
      // Safari sometimes closes a connection.
      result.onclose = forget
    }, forget)
    signal.addEventListener('abort', forget)
    return opened
  }
}

/** Rejects when the page is left: what belongs to a removed frame never settles. */
const untilLeft = <T>(signal: AbortSignal, promise: Promise<T>) =>
  new Promise<T>((resolve, reject) => {
    const leave = () => reject(new Error('The page is left'))
    signal.addEventListener('abort', leave)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave))
  })

let frame: Promise<HTMLIFrameElement> | undefined

function frameOf(signal: AbortSignal): Promise<HTMLIFrameElement> {
  frame ??= new Promise(resolve => {
    const element = document.createElement('iframe')
    element.hidden = true
    // Firefox replaces the frame's first document.
    element.onload = () => resolve(element)
    document.documentElement.append(element)
    signal.addEventListener('abort', () => {
      element.remove()
      frame = undefined
    })
  })
  return frame
}
