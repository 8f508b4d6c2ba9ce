// The interactions of all tabs in IndexedDB, oldest first. Without IndexedDB they live in memory until the page unloads.
import { promisifyRequest, type UseStore } from 'idb-keyval'
import { makeStoreWithTimeout } from '../local-copy/store-with-timeout.ts'
import type { LocalInteraction } from './interaction.ts'

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
    lastRead = await attempt(
      use => use('readonly', store => promisifyRequest(store.getAll())),
      list => list,
    )
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
    const indexIn = (list: LocalInteraction[]) =>
      list.findIndex(other => other.interaction_id === interaction_id)
    return attempt(
      use =>
        use('readwrite', async store => {
          const [keys, list] = await Promise.all([
            promisifyRequest(store.getAllKeys()),
            promisifyRequest<LocalInteraction[]>(store.getAll()),
          ])
          const index = indexIn(list)
          const found = list[index]
          const key = keys[index]
          if (!found || key === undefined) return
          const next = change(found)
          if (next) store.put(next, key)
          else store.delete(key)
          await promisifyRequest(store.transaction)
        }),
      list => {
        const index = indexIn(list)
        const found = list[index]
        const next = found && change(found)
        if (found) list.splice(index, 1, ...(next ? [next] : []))
      },
    )
  }

  return { readAll, add, update }
}

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
