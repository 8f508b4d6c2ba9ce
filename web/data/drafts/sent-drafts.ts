// Drafts that were sent with an interaction. They stay on the screen until the automation sets another value: a form
// that failed isn't lost, and one that was accepted is replaced by the automation's answer.
import { createStore, produce } from 'solid-js/store'
import { safeKey } from '../../lib/safe-key.ts'
import { readSentDrafts, type SentDraft, writeSentDrafts } from '../local-copy/drafts.ts'
import { addChange, type BlockChanges, type BlockValues, mergeValues } from './block-values.ts'

export function createSentDrafts(channelId: string) {
  const [sent, setSent] = createStore<BlockValues<SentDraft>>({})
  const changes: BlockChanges<SentDraft> = new Map()
  const restored = readSentDrafts(channelId).then(saved => {
    if (saved) setSent(current => mergeValues(saved, current))
  })

  function read(cardId: string, blockId: string): SentDraft | undefined {
    return sent[cardId]?.[safeKey(blockId)]
  }

  function write(cardId: string, blockId: string, draft: SentDraft): void {
    const key = safeKey(blockId)
    setSent(cardId, (card = {}) => ({ ...card, [key]: draft }))
    addChange(changes, [cardId, key, draft])
    save()
  }

  /** Without `blockId`, drops the whole card. */
  function drop(cardId: string, blockId?: string): void {
    const all = Object.keys(sent[cardId] ?? {})
    const keys = blockId === undefined ? all : all.filter(key => key === safeKey(blockId))
    if (keys.length === 0) return
    setSent(
      produce(cards => {
        for (const key of keys) delete cards[cardId]?.[key]
      }),
    )
    for (const key of keys) addChange(changes, [cardId, key])
    save()
  }

  async function save(): Promise<void> {
    await restored
    const unsaved = [...changes.values()]
    changes.clear()
    if (unsaved.length > 0) await writeSentDrafts(channelId, unsaved)
  }

  return { read, write, drop, restored }
}
