// The interactions of all tabs in IndexedDB, oldest first. Without IndexedDB they live in memory until the page unloads.
import { clear, promisifyRequest, type UseStore } from 'idb-keyval'
import { makeStoreWithTimeout } from '../local-copy/store-with-timeout.ts'
import type { LocalInteraction } from './interaction.ts'

type Change = (list: LocalInteraction[]) => LocalInteraction[]

/** Browsers already hold interactions under these names. */
const openStore = () => makeStoreWithTimeout('channel-feed-acts', 'acts')

export function makeInteractionStore() {
  let opened: UseStore | undefined
  /** Replaces IndexedDB after its first failure. */
  let inMemory: LocalInteraction[] | undefined
  let lastRead: LocalInteraction[] = []

  async function attempt(work: (use: UseStore) => Promise<LocalInteraction[]>, instead: Change) {
    if (!inMemory) {
      try {
        opened ??= openStore()
        lastRead = await work(opened)
        return lastRead
      } catch (error) {
        console.warn('Interactions are kept in memory only', error)
        inMemory ??= lastRead
      }
    }
    inMemory = instead(inMemory)
    return inMemory
  }

  const read = () =>
    attempt(
      use => use('readonly', store => promisifyRequest(store.getAll())),
      same => same,
    )

  /** In one transaction, because other tabs change the list too. */
  const change = (makeNext: Change) =>
    attempt(
      use =>
        use('readwrite', async store => {
          const next = makeNext(await promisifyRequest(store.getAll()))
          store.clear()
          for (const [i, interaction] of next.entries()) store.put(interaction, i)
          await promisifyRequest(store.transaction)
          return next
        }),
      makeNext,
    )

  return { read, change }
}

export async function dropInteractions(): Promise<void> {
  try {
    await clear(openStore())
  } catch (error) {
    console.warn('Saved interactions could not be deleted', error)
  }
}
