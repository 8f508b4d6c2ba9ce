// Values that a viewer typed into cards and hasn't sent. Patches and reloads keep them; passwords stay in memory.
import { safeKey } from '../../lib/safe-key.ts'
import {
  type DraftValue,
  readDrafts,
  readSentDrafts,
  type SentDraft,
  writeDrafts,
  writeLastDrafts,
  writeSentDrafts,
} from '../local-copy/drafts.ts'
import { createBlockValues } from './block-values-store.ts'

/** In the place of a card's id: the comments on its questions, by block. */
export const commentsOn = (cardId: string) => `comments on ${cardId}`

export type CardDrafts = ReturnType<typeof createDrafts>

export function createDrafts(channelId: string) {
  const secrets = new Set<string>()
  // Sent drafts stay on the screen until the automation sets another value: a form that failed isn't lost, and an accepted
  // one is replaced by the automation's value.
  const sent = createBlockValues<SentDraft>(readSentDrafts(channelId), changes =>
    writeSentDrafts(channelId, changes),
  )
  const saved = Promise.all([readDrafts(channelId), sent.restored]).then(([drafts]) => drafts)
  const drafts = createBlockValues<DraftValue>(saved, changes => writeDrafts(channelId, changes))
  const { read } = drafts
  window.addEventListener('pagehide', saveLast)

  function saveLast(): void {
    const changes = drafts.unsaved()
    if (changes.length > 0) writeLastDrafts(channelId, changes)
  }

  /** A block that was secret once stays secret. */
  function write(cardId: string, blockId: string, value: DraftValue, options?: { secret: boolean }): void {
    const control = `${cardId} ${safeKey(blockId)}`
    if (options?.secret) secrets.add(control)
    sent.drop(cardId, blockId)
    drafts.write(cardId, blockId, value, { secret: secrets.has(control) })
  }

  /** Without `blockId`, all of the card. */
  function discard(cardId: string, blockId?: string): void {
    sent.drop(cardId, blockId)
    drafts.drop(cardId, blockId)
    if (blockId === undefined) drafts.drop(commentsOn(cardId))
  }

  /** Records that an interaction sent the card's drafts. `bases`: the card's own values by block id. */
  function markSent(cardId: string, interaction_id: string, bases: Record<string, DraftValue>): void {
    for (const [blockId, base] of Object.entries(bases)) {
      if (read(cardId, blockId) === undefined) continue
      sent.write(cardId, blockId, { interaction_id, base: JSON.stringify(base) })
    }
  }

  const stop = () => window.removeEventListener('pagehide', saveLast)

  /** Stops without writing what is left: the local copy is being dropped. */
  function discardUnsaved(): void {
    sent.discardUnsaved()
    drafts.discardUnsaved()
    stop()
  }

  return {
    read,
    write,
    discard,
    markSent,
    sentDraft: sent.read,
    restored: drafts.restored,
    stop,
    discardUnsaved,
  }
}
