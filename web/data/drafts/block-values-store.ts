// A store of values by card and block id, which starts with the saved ones and saves every change, in order.
import { createStore, produce, unwrap } from 'solid-js/store'
import { safeKey } from '../../lib/safe-key.ts'
import { applyChanges, type BlockValues, mergeValues, type ValueChange } from './block-values.ts'

/**
 * Nothing is written before `saved`, so that the saved values are read first. `writeChanges` resolves to false if nothing was
 * written. `last`: changes that the tab's last page couldn't save.
 */
export function createBlockValues<T>(
  saved: Promise<BlockValues<T> | undefined>,
  writeChanges: (changes: ValueChange<T>[]) => Promise<boolean>,
  last: ValueChange<T>[] = [],
) {
  const [values, setValues] = createStore<BlockValues<T>>(applyChanges({}, last))
  let changes = last
  let writing: ValueChange<T>[] = []
  let discarded = false
  /** A value written meanwhile wins. */
  const restored = saved.then(known => {
    if (known) setValues(current => mergeValues(applyChanges(known, unsaved()), current))
  })
  if (last.length > 0) writeAll()

  function read(cardId: string, blockId: string): T | undefined {
    return values[cardId]?.[safeKey(blockId)]
  }

  /** A `secret` value stays in memory, and a saved one is deleted. */
  function write(cardId: string, blockId: string, value: T, options?: { secret: boolean }): void {
    const key = safeKey(blockId)
    setValues(cardId, (card = {}) => ({ ...card, [key]: value }))
    save(options?.secret ? [cardId, key] : [cardId, key, unwrap(value)])
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

  function save(change: ValueChange<T>): void {
    changes = [...changes, change]
    if (writing.length === 0) writeAll()
  }

  async function writeAll(): Promise<void> {
    let written = true
    while (written && changes.length > 0 && !discarded) {
      writing = changes
      changes = []
      await restored
      written = !discarded && (await writeChanges(writing))
      // What couldn't be written is tried again with the next change.
      if (!written) changes = unsaved()
      writing = []
    }
  }

  function unsaved(): ValueChange<T>[] {
    return discarded ? [] : [...writing, ...changes]
  }

  /** Nothing more is written: the local copy is being dropped. */
  function discardUnsaved(): void {
    discarded = true
  }

  return { read, write, drop, restored, unsaved, discardUnsaved }
}
