// Values that a viewer typed into cards and hasn't sent. Patches and reloads keep them; passwords stay in memory.
import { safeKey } from '../../lib/safe-key.ts'
import { type DraftValue, readDrafts } from '../local-copy/drafts.ts'
import { createBlockValues } from './block-values-store.ts'
import { makeDraftSaver } from './draft-saver.ts'
import { createSentDrafts } from './sent-drafts.ts'

export type CardDrafts = ReturnType<typeof createDrafts>

export function createDrafts(channelId: string) {
  const secrets = new Set<string>()
  const sent = createSentDrafts(channelId)
  const saved = Promise.all([readDrafts(channelId), sent.restored]).then(([drafts]) => drafts)
  const drafts = createBlockValues<DraftValue>(saved, change => {
    const [cardId, key] = change
    saver.save(secrets.has(`${cardId} ${key}`) ? [cardId, key] : change)
  })
  const { read, restored } = drafts
  const saver = makeDraftSaver(channelId, restored)

  function write(cardId: string, blockId: string, value: DraftValue, options?: { secret: boolean }): void {
    if (options?.secret) secrets.add(`${cardId} ${safeKey(blockId)}`)
    sent.drop(cardId, blockId)
    drafts.write(cardId, blockId, value)
  }

  function discard(cardId: string, blockId: string): void {
    sent.drop(cardId, blockId)
    drafts.drop(cardId, blockId)
  }

  /** Records that an interaction sent the card's drafts. `bases`: the card's own values by block id. */
  function markSent(cardId: string, interaction_id: string, bases: Record<string, DraftValue>): void {
    for (const [blockId, base] of Object.entries(bases)) {
      if (read(cardId, blockId) === undefined) continue
      sent.write(cardId, blockId, { interaction_id, base: JSON.stringify(base) })
    }
  }

  function dropCard(cardId: string): void {
    sent.drop(cardId)
    drafts.drop(cardId)
  }

  return {
    read,
    write,
    discard,
    markSent,
    sentDraft: sent.read,
    dropCard,
    restored,
    stop: saver.stop,
    discardUnsaved: saver.discard,
  }
}
