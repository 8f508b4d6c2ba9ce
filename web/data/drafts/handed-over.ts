// Drafts that went out with an act. They stay on the screen until the automation answers with another value of its
// own: a form that failed is not lost, and one that was taken gives way to what comes of it.
import { createStore, produce } from 'solid-js/store'
import { addChange, type BlockChanges, type ByBlock, merge } from '../../lib/by-block.ts'
import { ownKey } from '../../lib/safe-key.ts'
import { type Handed, readHandedOver, writeHandedOver } from '../local-copy.ts'

export function createHandedOver(channelId: string) {
  const [handed, setHanded] = createStore<ByBlock<Handed>>({})
  const changes: BlockChanges<Handed> = new Map()
  const restored = readHandedOver(channelId).then(kept => {
    if (kept) setHanded(now => merge(kept, now))
  })

  function read(cardId: string, blockId: string): Handed | undefined {
    return handed[cardId]?.[ownKey(blockId)]
  }

  function write(cardId: string, blockId: string, entry: Handed): void {
    const key = ownKey(blockId)
    setHanded(cardId, (card = {}) => ({ ...card, [key]: entry }))
    addChange(changes, [cardId, key, entry])
    keep()
  }

  /** Without `blockId`: of the whole card. */
  function drop(cardId: string, blockId?: string): void {
    const all = Object.keys(handed[cardId] ?? {})
    const keys = blockId === undefined ? all : all.filter(key => key === ownKey(blockId))
    if (keys.length === 0) return
    setHanded(
      produce(cards => {
        for (const key of keys) delete cards[cardId]?.[key]
      }),
    )
    for (const key of keys) addChange(changes, [cardId, key])
    keep()
  }

  async function keep(): Promise<void> {
    await restored
    const now = [...changes.values()]
    changes.clear()
    if (now.length > 0) await writeHandedOver(channelId, now)
  }

  return { read, write, drop, restored }
}
