// Adds, duplicates, deletes and reorders the blocks of the card in the builder.
import { createSignal } from 'solid-js'
import type { BlockKind } from '../block-kinds/block-kind.ts'
import { kindOf } from '../block-kinds/block-kinds.ts'
import type { BuilderState } from './builder-state.ts'
import { duplicateOf, getIn } from './card-value.ts'
import { newKey, withBlockList } from './composition.ts'

export function createBlockEditing({ now, blocks, apply, announce }: BuilderState) {
  const [openKey, setOpenKey] = createSignal<number>()
  const [addedKey, setAddedKey] = createSignal<number>()
  const keys = () => now().keys

  const setBlocks = (next: unknown[], nextKeys: readonly number[]) =>
    apply(withBlockList(now(), next, nextKeys))

  function insert(block: unknown, at: number): void {
    const key = newKey()
    // These come first, because the new row reads them when it is created.
    setAddedKey(key)
    setOpenKey(key)
    setBlocks(blocks().toSpliced(at, 0, block), keys().toSpliced(at, 0, key))
  }

  function add(kind: BlockKind): void {
    insert(duplicateOf(kind.example(location.origin), blocks()), blocks().length)
    announce(`Added: ${kind.name}.`, { silent: true })
  }

  function duplicate(at: number): void {
    insert(duplicateOf(blocks()[at], blocks()), at + 1)
    announce('Duplicated.', { silent: true })
  }

  function remove(at: number): void {
    const name = blockName(blocks()[at])
    setBlocks(blocks().toSpliced(at, 1), keys().toSpliced(at, 1))
    announce(`Deleted: ${name}.`, { undo: true })
  }

  const blockOf = (key: number) => blocks()[keys().indexOf(key)]

  return {
    keys,
    blockOf,
    openKey,
    setOpenKey,
    addedKey,
    add,
    duplicate,
    remove,
    reorder: (order: number[]) => setBlocks(order.map(blockOf), order),
  }
}

export const blockName = (block: unknown) => kindOf(getIn(block, ['type']))?.name ?? 'Unknown block'
