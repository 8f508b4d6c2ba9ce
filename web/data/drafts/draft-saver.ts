// Saves a channel's drafts to the local copy, in order, and to the tab's storage while the page unloads.
import { type DraftChange, type DraftValue, writeDrafts, writeLastDrafts } from '../local-copy/drafts.ts'
import { addChange, type BlockChanges } from './block-values.ts'

/** Nothing is written before `restored`: the saved drafts are read first. */
export function makeDraftSaver(channelId: string, restored: Promise<void>) {
  const changes: BlockChanges<DraftValue> = new Map()
  let writing: DraftChange[] = []
  let discarded = false
  window.addEventListener('pagehide', saveLast)

  function save(change: DraftChange): void {
    addChange(changes, change)
    if (writing.length === 0) writeAll()
  }

  async function writeAll(): Promise<void> {
    while (changes.size > 0 && !discarded) {
      writing = [...changes.values()]
      changes.clear()
      await restored
      if (!discarded) await writeDrafts(channelId, writing)
    }
    writing = []
  }

  function saveLast(): void {
    if (writing.length > 0) writeLastDrafts(channelId, [...writing, ...changes.values()])
  }

  const stop = () => window.removeEventListener('pagehide', saveLast)

  /** Stops without writing what is left: the local copy is being dropped. */
  function discard(): void {
    discarded = true
    stop()
  }

  return { save, stop, discard }
}
