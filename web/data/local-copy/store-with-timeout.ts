// IndexedDB with a time limit: in some browsers it never responds after a crash or an update.
import { createStore, type UseStore } from 'idb-keyval'
import { patience } from '../../lib/patience.ts'

/** Three timers of a second. After the computer slept, the first may fire before a result that is already there. */
async function timeout(): Promise<void> {
  for (let i = 0; i < 3; i++) await patience(1_000)
}

/** Like idb-keyval's `createStore`. If the first request takes too long, it and all later requests fail. */
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
