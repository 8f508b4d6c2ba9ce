// The interactions of this browser in IndexedDB, oldest first; every tab reads and writes the same ones.
// If IndexedDB can't be used, they live as long as the page.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { makeStoreWithTimeout } from '../local-copy/store-with-timeout.ts'
import type { LocalInteraction } from './interaction.ts'

export type InteractionStore = ReturnType<typeof makeInteractionStore>

/** Browsers already hold interactions under these names. */
const openStore = () => makeStoreWithTimeout('channel-feed-acts', 'acts')

export function makeInteractionStore() {
  let opened: UseStore | undefined
  /** Replaces IndexedDB after its first failure. */
  let inMemory: LocalInteraction[] | undefined
  let lastRead: LocalInteraction[] = []

  async function attempt<T>(
    work: (use: UseStore) => Promise<T>,
    instead: (list: LocalInteraction[]) => T,
  ): Promise<T> {
    if (inMemory) return instead(inMemory)
    try {
      opened ??= openStore()
      return await work(opened)
    } catch (error) {
      console.warn('Interactions are kept in memory only', error)
      inMemory = lastRead
      return instead(inMemory)
    }
  }

  async function readAll(): Promise<LocalInteraction[]> {
    const read = (use: UseStore) =>
      use('readonly', store => promisifyRequest<LocalInteraction[]>(store.getAll()))
    lastRead = await attempt(read, list => list)
    return [...lastRead]
  }

  function add(interaction: LocalInteraction): Promise<void> {
    return attempt(
      use =>
        use('readwrite', async store => {
          const keys = await promisifyRequest(store.getAllKeys())
          store.put(interaction, Number(keys.at(-1) ?? 0) + 1)
          await promisifyRequest(store.transaction)
        }),
      list => void list.push(interaction),
    )
  }

  /** Does nothing if the interaction is gone. `change` returns null to delete it. */
  function update(
    interaction_id: string,
    change: (interaction: LocalInteraction) => LocalInteraction | null,
  ): Promise<void> {
    const find = (list: LocalInteraction[]) => {
      const at = list.findIndex(one => one.interaction_id === interaction_id)
      return { at, found: list[at] }
    }
    return attempt(
      use =>
        use('readwrite', async store => {
          const [keys, list] = await Promise.all([
            promisifyRequest(store.getAllKeys()),
            promisifyRequest<LocalInteraction[]>(store.getAll()),
          ])
          const { at, found } = find(list)
          const key = keys[at]
          if (!found || key === undefined) return
          const next = change(found)
          if (next) store.put(next, key)
          else store.delete(key)
          await promisifyRequest(store.transaction)
        }),
      list => {
        const { at, found } = find(list)
        const next = found && change(found)
        if (found) list.splice(at, 1, ...(next ? [next] : []))
      },
    )
  }

  return { readAll, add, update }
}

/** Deletes all interactions, at sign-out or when another user signs in. */
export async function dropInteractions(): Promise<void> {
  try {
    await openStore()('readwrite', store => {
      store.clear()
      return promisifyRequest(store.transaction)
    })
  } catch (error) {
    console.warn('Saved interactions could not be deleted', error)
  }
}
