// Adds, duplicates, deletes and reorders the blocks of the card in the builder.
import { createSignal } from 'solid-js'
import type { BlockKind } from '../block-kinds/block-kind.ts'
import { kindOf } from '../block-kinds/block-kinds.ts'
import { buttonKind } from '../block-kinds/button.ts'
import { textKind } from '../block-kinds/text.ts'
import type { BuilderState } from './builder-state.ts'
import { duplicateOf, getIn } from './card-value.ts'
import { newKey, withBlockList } from './composition.ts'

export function createBlockEditing({ now, blocks, apply, announce }: BuilderState) {
  const [openKey, setOpenKey] = createSignal<number>()
  const [addedKey, setAddedKey] = createSignal<number>()
  const keys = () => now().keys

  const setBlocks = (next: unknown[], nextKeys: readonly number[]) =>
    apply(withBlockList(now(), next, nextKeys))

  /** Opens the first of them. */
  function insert(added: unknown[], at: number): void {
    const addedKeys = added.map(newKey)
    // These come first, because the new row reads them when it is created.
    setAddedKey(addedKeys[0])
    setOpenKey(addedKeys[0])
    setBlocks(blocks().toSpliced(at, 0, ...added), keys().toSpliced(at, 0, ...addedKeys))
  }

  function add(kind: BlockKind): void {
    insert([duplicateOf(kind.example(location.origin), blocks())], blocks().length)
    announce(`Added: ${kind.name}.`, { silent: true })
  }

  /** The words of a question, and below them its buttons. */
  function addQuestion(): void {
    const { origin } = location
    const words = { ...textKind.example(origin), id: 'question', content: 'Roll it out?' }
    const buttons = { ...buttonKind.example(origin), id: 'answers', decision: { approves: 'approve' } }
    const asked = duplicateOf(words, blocks())
    insert([asked, duplicateOf(buttons, [...blocks(), asked])], blocks().length)
    announce('Added: Question.', { silent: true })
  }

  function duplicate(at: number): void {
    insert([duplicateOf(blocks()[at], blocks())], at + 1)
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
    addQuestion,
    duplicate,
    remove,
    reorder: (order: number[]) => setBlocks(order.map(blockOf), order),
  }
}

export const blockName = (block: unknown) => kindOf(getIn(block, ['type']))?.name ?? 'Unknown block'
