// IndexedDB that never answers: some browsers have it so after a crash or an update, and the app must not wait for it.
import { createStore, type UseStore } from 'idb-keyval'
import { patience } from '../lib/patience.ts'

/** In all. A slow device answers within a second. */
const PATIENCE_MS = 3_000
/** After a sleep the first timer may run before the answer that has long been there. */
const TURNS = 3

async function outOfPatience(): Promise<undefined> {
  for (let turn = 0; turn < TURNS; turn++) await patience(PATIENCE_MS / TURNS)
}

/** As idb-keyval's, but where the database has not answered for so long, what is asked fails, then and ever after. */
export function createPatientStore(database: string, name: string): UseStore {
  const use = createStore(database, name)
  let state: 'asked' | 'answers' | 'silent' = 'asked'

  return async (mode, work) => {
    if (state === 'answers') return use(mode, work)
    if (state === 'silent') throw new Error('IndexedDB does not answer')
    const done = use(mode, work).finally(() => {
      if (state === 'asked') state = 'answers'
    })
    const late = outOfPatience().then(() => {
      if (state === 'answers') return done
      state = 'silent'
      throw new Error('IndexedDB does not answer')
    })
    return Promise.race([done, late])
  }
}
