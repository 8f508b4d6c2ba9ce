// Drafts that were sent with an interaction. They stay on the screen until the automation sets another value: a form
// that failed isn't lost, and an accepted one is replaced by the automation's value.
import { readSentDrafts, type SentDraft, writeSentDrafts } from '../local-copy/drafts.ts'
import { addChange, type BlockChanges } from './block-values.ts'
import { createBlockValues } from './block-values-store.ts'

export function createSentDrafts(channelId: string) {
  const changes: BlockChanges<SentDraft> = new Map()
  const sent = createBlockValues<SentDraft>(readSentDrafts(channelId), change => {
    addChange(changes, change)
    save()
  })

  async function save(): Promise<void> {
    await sent.restored
    const unsaved = [...changes.values()]
    changes.clear()
    if (unsaved.length > 0) await writeSentDrafts(channelId, unsaved)
  }

  return sent
}
