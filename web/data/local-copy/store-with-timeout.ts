// IndexedDB with a time limit. Some browsers never answer after a crash or an update, and the app must not wait.
import { createStore, type UseStore } from 'idb-keyval'
import { patience } from '../../lib/patience.ts'

/** A slow device answers within a second. */
const TIMEOUT_MS = 3_000
/** After the computer slept, the first timer may fire before an answer that is already there. */
const TIMERS = 3

async function timeout(): Promise<void> {
  for (let i = 0; i < TIMERS; i++) await patience(TIMEOUT_MS / TIMERS)
}

/** Like idb-keyval's `createStore`. If the first request gets no answer in time, that and every later request fails. */
export function makeStoreWithTimeout(database: string, name: string): UseStore {
  const use = createStore(database, name)
  let state: 'pending' | 'works' | 'silent' = 'pending'

  return async (mode, work) => {
    if (state === 'works') return use(mode, work)
    if (state === 'silent') throw new Error('IndexedDB does not respond')
    const done = use(mode, work).finally(() => {
      if (state === 'pending') state = 'works'
    })
    const late = timeout().then(() => {
      if (state === 'works') return done
      state = 'silent'
      throw new Error('IndexedDB does not respond')
    })
    return Promise.race([done, late])
  }
}
