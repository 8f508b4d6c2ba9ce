// The acts that this browser keeps, in the order in which they were done; every tab reads and writes the same ones.
// Without a usable IndexedDB they live as long as the page.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { createPatientStore } from '../patient-store.ts'
import type { Act } from './interaction.ts'

export type ActStore = ReturnType<typeof makeActStore>

export function makeActStore() {
  let opened: UseStore | undefined
  /** In the place of IndexedDB where it cannot be used. */
  let inMemory: Act[] | undefined
  let lastRead: Act[] = []

  async function attempt<T>(work: (use: UseStore) => Promise<T>, instead: (acts: Act[]) => T): Promise<T> {
    if (inMemory) return instead(inMemory)
    try {
      opened ??= createPatientStore('channel-feed-acts', 'acts')
      return await work(opened)
    } catch (error) {
      console.warn('Acts are kept in memory only', error)
      inMemory = lastRead
      return instead(inMemory)
    }
  }

  async function readAll(): Promise<Act[]> {
    const read = (use: UseStore) => use('readonly', store => promisifyRequest<Act[]>(store.getAll()))
    lastRead = await attempt(read, acts => acts)
    return [...lastRead]
  }

  /** Puts it behind all others. */
  function add(act: Act): Promise<void> {
    return attempt(
      use =>
        use('readwrite', async store => {
          const keys = await promisifyRequest(store.getAllKeys())
          store.put(act, Number(keys.at(-1) ?? 0) + 1)
          await promisifyRequest(store.transaction)
        }),
      acts => void acts.push(act),
    )
  }

  /** Does nothing where it is gone. `change` returns null to drop it. */
  function update(interaction_id: string, change: (act: Act) => Act | null): Promise<void> {
    return attempt(
      use =>
        use('readwrite', async store => {
          const [keys, acts] = await Promise.all([
            promisifyRequest(store.getAllKeys()),
            promisifyRequest<Act[]>(store.getAll()),
          ])
          const at = acts.findIndex(act => act.interaction_id === interaction_id)
          const act = acts[at]
          const key = keys[at]
          if (!act || key === undefined) return
          const next = change(act)
          if (next) store.put(next, key)
          else store.delete(key)
          await promisifyRequest(store.transaction)
        }),
      acts => {
        const at = acts.findIndex(act => act.interaction_id === interaction_id)
        const act = acts[at]
        if (!act) return
        const next = change(act)
        acts.splice(at, 1, ...(next ? [next] : []))
      },
    )
  }

  return { readAll, add, update }
}

/** Forgets all acts: another user's, or those of one who signs out. */
export async function dropActs(): Promise<void> {
  try {
    const use = createPatientStore('channel-feed-acts', 'acts')
    await use('readwrite', store => {
      store.clear()
      return promisifyRequest(store.transaction)
    })
  } catch (error) {
    console.warn('Kept acts cannot be dropped', error)
  }
}
