// Drafts that went out with an act. They stay on the screen until the automation answers with another value of its
// own: a form that failed is not lost, and one that was taken gives way to what comes of it.
import { createStore, produce } from 'solid-js/store'
import { ownKey } from '../card/own-key.ts'
import { readHandedOver, writeHandedOver } from './local-copy.ts'

/** `base`: the card's own value at the time, as JSON. */
export type Handed = { interaction_id: string; base: string }
/** By card id, then block id. */
export type HandedOver = Record<string, Record<string, Handed>>

export function createHandedOver(channelId: string) {
  const [handed, setHanded] = createStore<HandedOver>({})
  const restored = readHandedOver(channelId).then(kept => {
    if (kept) setHanded(now => ({ ...kept, ...now }))
  })

  function read(cardId: string, blockId: string): Handed | undefined {
    return handed[cardId]?.[ownKey(blockId)]
  }

  function write(cardId: string, blockId: string, entry: Handed): void {
    setHanded(cardId, (card = {}) => ({ ...card, [ownKey(blockId)]: entry }))
    keep()
  }

  /** Without `blockId`: of the whole card. */
  function drop(cardId: string, blockId?: string): void {
    const entry = blockId === undefined ? handed[cardId] : read(cardId, blockId)
    if (entry === undefined) return
    setHanded(
      produce(all => {
        if (blockId === undefined) delete all[cardId]
        else delete all[cardId]?.[ownKey(blockId)]
      }),
    )
    keep()
  }

  async function keep(): Promise<void> {
    await restored
    await writeHandedOver(channelId, JSON.parse(JSON.stringify(handed)))
  }

  return { read, write, drop, restored }
}
