// The interactions of all tabs in IndexedDB, oldest first. Until IndexedDB answers, and without it, this tab's are in memory.
import { clear, promisifyRequest, type UseStore } from 'idb-keyval'
import { makeAnswers } from '../local-copy/answers.ts'
import { makeIndexedStore } from '../local-copy/indexed-store.ts'
import { fromStored, type LocalInteraction, type StoredInteraction } from './interaction.ts'

type Change = (list: LocalInteraction[]) => LocalInteraction[]

/** Browsers already hold interactions under these names. */
const database = makeIndexedStore('channel-feed-acts', 'acts')

/** Nothing is read or written before `start`. `onLate`: IndexedDB has answered after the page stopped waiting. */
export function makeInteractionStore(start: Promise<void>, onLate: () => void) {
  const { onAnswer, inTime } = makeAnswers()
  /** As IndexedDB had it last. After a failure, with all changes since. */
  let saved: LocalInteraction[] = []
  let savedIds = new Set<string>()
  let unsaved: Change[] = []
  let isBroken = false

  const now = () => unsaved.reduce((list, makeNext) => makeNext(list), saved)

  async function attempt(work: (use: UseStore) => Promise<LocalInteraction[]>): Promise<void> {
    try {
      saved = await work(database)
      savedIds = new Set(saved.map(({ interaction_id }) => interaction_id))
    } catch (error) {
      console.warn('Interactions are kept in memory only', error)
      saved = now()
      unsaved = []
      isBroken = true
    }
    onAnswer()
  }

  async function settle(work: (use: UseStore) => Promise<LocalInteraction[]>): Promise<LocalInteraction[]> {
    let isLate = false
    await start
    const done = attempt(work).then(() => {
      if (isLate) onLate()
      return true
    })
    isLate = (await inTime(done)) === undefined
    return now()
  }

  async function read(): Promise<LocalInteraction[]> {
    return isBroken ? now() : settle(use => use('readonly', readAll))
  }

  /** In one transaction, because other tabs change the list too. A change that was made already must change nothing. */
  async function change(makeNext: Change): Promise<LocalInteraction[]> {
    if (isBroken) {
      saved = makeNext(saved)
      return saved
    }
    unsaved = [...unsaved, makeNext]
    return settle(async use => {
      const list = await use('readwrite', async store => {
        const next = makeNext(await readAll(store))
        store.clear()
        for (const [i, interaction] of next.entries()) store.put(interaction, i)
        await promisifyRequest(store.transaction)
        return next
      })
      unsaved = unsaved.filter(other => other !== makeNext)
      return list
    })
  }

  return {
    read,
    change,
    now,
    unwritten: () => now().filter(({ interaction_id }) => !savedIds.has(interaction_id)),
  }
}

async function readAll(store: IDBObjectStore): Promise<LocalInteraction[]> {
  const stored: StoredInteraction[] = await promisifyRequest(store.getAll())
  return stored.map(fromStored)
}

export async function dropInteractions(): Promise<void> {
  try {
    await clear(database)
  } catch (error) {
    console.warn('Saved interactions could not be deleted', error)
  }
}
