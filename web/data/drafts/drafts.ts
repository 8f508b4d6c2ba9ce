// Values that a viewer typed into cards and hasn't sent. Patches and reloads keep them; passwords stay in memory.
import { createStore } from 'solid-js/store'
import type { FormBlock } from '../../../shared/form-block.ts'
import { isLeaving } from '../../lib/page-life.ts'
import { safeKey } from '../../lib/safe-key.ts'
import {
  type DraftValue,
  handOverChanges,
  readDrafts,
  readSentDrafts,
  type SentDraft,
  takeLastChanges,
  writeDrafts,
  writeSentDrafts,
} from '../local-copy/drafts.ts'
import { createBlockValues } from './block-values-store.ts'

/** In the place of a card's id: the comments on its questions, by block. */
export const commentsOn = (cardId: string) => `comments on ${cardId}`

export type CardDrafts = ReturnType<typeof createDrafts>

export function createDrafts(channelId: string) {
  /** By control: blocks that were a password on this page. */
  const [secrets, setSecrets] = createStore<Record<string, true>>({})
  // Sent drafts stay on the screen until the automation sets another value: a form that failed isn't lost, and an accepted
  // one is replaced by the automation's value.
  const last = takeLastChanges(channelId)
  const sent = createBlockValues<SentDraft>(
    readSentDrafts(channelId),
    changes => writeSentDrafts(channelId, changes),
    last.sent,
  )
  const saved = Promise.all([readDrafts(channelId), sent.restored]).then(([drafts]) => drafts)
  const drafts = createBlockValues<DraftValue>(saved, changes => writeDrafts(channelId, changes), last.drafts)
  const { read } = drafts
  const unfinished = handOverChanges(channelId, () => ({ drafts: drafts.unsaved(), sent: sent.unsaved() }))

  const wasSecret = (cardId: string, blockId: string) => secrets[controlOn(cardId, blockId)] === true

  /** Whether what is typed into the block may never be saved, neither as a draft nor as part of the page. */
  const isSecret = (cardId: string, block: FormBlock) => isPassword(block) || wasSecret(cardId, block.id)

  /** Call it for a password. What is in it stays secret, even if the automation makes it a plain text. */
  function conceal(cardId: string, blockId: string): void {
    setSecrets(controlOn(cardId, blockId), true)
    drafts.restored.then(() => {
      const value = read(cardId, blockId)
      if (value !== undefined) drafts.write(cardId, blockId, value, { secret: true })
    })
  }

  function write(cardId: string, blockId: string, value: DraftValue): void {
    sent.drop(cardId, blockId)
    drafts.write(cardId, blockId, value, { secret: wasSecret(cardId, blockId) })
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
    if (isLeaving()) unfinished.save()
  }

  function stop(): void {
    unfinished.save()
    unfinished.stop()
  }

  /** Stops without writing what is left: the local copy is being dropped. */
  function discardUnsaved(): void {
    sent.discardUnsaved()
    drafts.discardUnsaved()
    unfinished.stop()
  }

  return {
    read,
    isSecret,
    conceal,
    write,
    discard,
    markSent,
    sentDraft: sent.read,
    restored: drafts.restored,
    stop,
    discardUnsaved,
  }
}

const controlOn = (cardId: string, blockId: string) => `${cardId} ${safeKey(blockId)}`

export const isPassword = (block: FormBlock) => 'input_type' in block && block.input_type === 'password'
