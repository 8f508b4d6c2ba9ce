// What a viewer entered and has not sent. It lives beside the cards, never in the document, so no patch touches it;
// the local copy keeps it over reloads. Passwords are kept in memory only.
import { createStore, produce, unwrap } from 'solid-js/store'
import { addChange, type BlockChanges, merge } from '../../lib/by-block.ts'
import { ownKey } from '../../lib/safe-key.ts'
import { type DraftChange, type Drafts, type DraftValue, readDrafts, writeDrafts } from '../local-copy.ts'
import { createHandedOver } from './handed-over.ts'
import { keepLastDrafts } from './last-drafts.ts'

export type CardDrafts = ReturnType<typeof createDrafts>

export function createDrafts(channelId: string) {
  const [drafts, setDrafts] = createStore<Drafts>({})
  const handed = createHandedOver(channelId)
  const secret = new Set<string>()
  const changes: BlockChanges<DraftValue> = new Map()
  /** On their way into the local copy. */
  let writing: DraftChange[] = []
  let forgotten = false

  const restored = restore()
  window.addEventListener('pagehide', keepLast)

  async function restore(): Promise<void> {
    const [kept] = await Promise.all([readDrafts(channelId), handed.restored])
    // Whoever typed before this arrived meant it.
    if (kept) setDrafts(now => merge(kept, now))
  }

  /** What was entered, or undefined where the card's own value shows. */
  function read(cardId: string, blockId: string): DraftValue | undefined {
    return drafts[cardId]?.[ownKey(blockId)]
  }

  function write(cardId: string, blockId: string, value: DraftValue, options?: { secret: boolean }): void {
    const key = ownKey(blockId)
    if (options?.secret) secret.add(`${cardId} ${key}`)
    handed.drop(cardId, blockId)
    setDrafts(cardId, (card = {}) => ({ ...card, [key]: value }))
    keep(cardId, key)
  }

  /** The card's own value shows again. */
  function discard(cardId: string, blockId: string): void {
    handed.drop(cardId, blockId)
    if (read(cardId, blockId) === undefined) return
    const key = ownKey(blockId)
    setDrafts(produce(all => delete all[cardId]?.[key]))
    keep(cardId, key)
  }

  /** They went out with an act. `bases`: the card's own values by block id. */
  function handOver(cardId: string, interaction_id: string, bases: Record<string, DraftValue>): void {
    for (const [blockId, base] of Object.entries(bases)) {
      if (read(cardId, blockId) === undefined) continue
      handed.write(cardId, blockId, { interaction_id, base: JSON.stringify(base) })
    }
  }

  /** The card is gone, and what was meant for it. */
  function forgetCard(cardId: string): void {
    handed.drop(cardId)
    if (drafts[cardId] === undefined) return
    const keys = Object.keys(drafts[cardId])
    setDrafts(produce(all => delete all[cardId]))
    for (const key of keys) keep(cardId, key)
  }

  function keep(cardId: string, key: string): void {
    const value = secret.has(`${cardId} ${key}`) ? undefined : unwrap(drafts)[cardId]?.[key]
    addChange(changes, value === undefined ? [cardId, key] : [cardId, key, value])
    if (writing.length === 0) writeAll()
  }

  /** Writes at once, and again while letters came meanwhile: a reload loses none. */
  async function writeAll(): Promise<void> {
    while (changes.size > 0 && !forgotten) {
      writing = [...changes.values()]
      changes.clear()
      await restored
      if (!forgotten) await writeDrafts(channelId, writing)
    }
    writing = []
  }

  /** The page goes before IndexedDB is done: the last letters are written the way that does not wait. */
  function keepLast(): void {
    if (writing.length > 0) keepLastDrafts(channelId, [...writing, ...changes.values()])
  }

  function stop(): void {
    window.removeEventListener('pagehide', keepLast)
  }

  /** Nothing of it is written any more: the local copy is dropped. */
  function forget(): void {
    forgotten = true
    stop()
  }

  return { read, write, discard, handOver, handed: handed.read, forgetCard, restored, stop, forget }
}
