// Values that a viewer typed into cards and hasn't sent. They are kept apart from the document, so no patch overwrites
// them, and they survive a reload. Passwords stay in memory only.
import { createStore, produce, unwrap } from 'solid-js/store'
import { safeKey } from '../../lib/safe-key.ts'
import { type Drafts, type DraftValue, readDrafts } from '../local-copy/drafts.ts'
import { mergeValues } from './block-values.ts'
import { makeDraftSaver } from './draft-saver.ts'
import { createSentDrafts } from './sent-drafts.ts'

export type CardDrafts = ReturnType<typeof createDrafts>

export function createDrafts(channelId: string) {
  const [drafts, setDrafts] = createStore<Drafts>({})
  const sent = createSentDrafts(channelId)
  const secrets = new Set<string>()
  const restored = restore()
  const saver = makeDraftSaver(channelId, restored)

  async function restore(): Promise<void> {
    const [saved] = await Promise.all([readDrafts(channelId), sent.restored])
    // A value typed meanwhile wins.
    if (saved) setDrafts(current => mergeValues(saved, current))
  }

  /** Undefined if the card's own value applies. */
  function read(cardId: string, blockId: string): DraftValue | undefined {
    return drafts[cardId]?.[safeKey(blockId)]
  }

  function write(cardId: string, blockId: string, value: DraftValue, options?: { secret: boolean }): void {
    const key = safeKey(blockId)
    if (options?.secret) secrets.add(`${cardId} ${key}`)
    sent.drop(cardId, blockId)
    setDrafts(cardId, (card = {}) => ({ ...card, [key]: value }))
    save(cardId, key)
  }

  /** Goes back to the card's own value. */
  function discard(cardId: string, blockId: string): void {
    sent.drop(cardId, blockId)
    if (read(cardId, blockId) === undefined) return
    const key = safeKey(blockId)
    setDrafts(produce(all => delete all[cardId]?.[key]))
    save(cardId, key)
  }

  /** Records that an interaction sent the card's drafts. `bases`: the card's own values by block id. */
  function markSent(cardId: string, interaction_id: string, bases: Record<string, DraftValue>): void {
    for (const [blockId, base] of Object.entries(bases)) {
      if (read(cardId, blockId) === undefined) continue
      sent.write(cardId, blockId, { interaction_id, base: JSON.stringify(base) })
    }
  }

  /** The card was deleted. */
  function dropCard(cardId: string): void {
    sent.drop(cardId)
    if (drafts[cardId] === undefined) return
    const keys = Object.keys(drafts[cardId])
    setDrafts(produce(all => delete all[cardId]))
    for (const key of keys) save(cardId, key)
  }

  function save(cardId: string, key: string): void {
    const value = secrets.has(`${cardId} ${key}`) ? undefined : unwrap(drafts)[cardId]?.[key]
    saver.save(value === undefined ? [cardId, key] : [cardId, key, value])
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
