// A store of values by card and block id, which starts with the saved ones and hands every change to `save`.
import { createStore, produce, unwrap } from 'solid-js/store'
import { safeKey } from '../../lib/safe-key.ts'
import { type BlockChange, type BlockValues, mergeValues } from './block-values.ts'

export function createBlockValues<T>(
  saved: Promise<BlockValues<T> | undefined>,
  save: (change: BlockChange<T>) => void,
) {
  const [values, setValues] = createStore<BlockValues<T>>({})
  /** A value written meanwhile wins. */
  const restored = saved.then(known => {
    if (known) setValues(current => mergeValues(known, current))
  })

  function read(cardId: string, blockId: string): T | undefined {
    return values[cardId]?.[safeKey(blockId)]
  }

  function write(cardId: string, blockId: string, value: T): void {
    const key = safeKey(blockId)
    setValues(cardId, (card = {}) => ({ ...card, [key]: value }))
    save([cardId, key, unwrap(value)])
  }

  function drop(cardId: string, blockId?: string): void {
    const all = Object.keys(values[cardId] ?? {})
    const keys = blockId === undefined ? all : all.filter(key => key === safeKey(blockId))
    if (keys.length === 0) return
    setValues(
      produce(cards => {
        for (const key of keys) delete cards[cardId]?.[key]
      }),
    )
    for (const key of keys) save([cardId, key])
  }

  return { read, write, drop, restored }
}
