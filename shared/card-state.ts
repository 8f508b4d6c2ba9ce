// The card's state in an interaction: an entry per block, with the viewer's values instead of the card's.
import { BLOCK_DEFINITIONS, type Block, type BlockOf, type BlockType, type CardStateEntry } from './block.ts'
import { filledValue, isInput, type Value } from './form-block.ts'

export function cardState(blocks: Block[], values: ReadonlyMap<string, Value>): CardStateEntry[] {
  return blocks.map(block => {
    const filled = isInput(block) ? { value: filledValue(block, values) } : {}
    return entryOf(block.type, block, filled)
  })
}

/** The fields of the entry's schema. Only `filled` isn't the block's own. */
function entryOf<T extends BlockType>(type: T, block: BlockOf<T>, filled: object): CardStateEntry {
  const { state, derived } = BLOCK_DEFINITIONS[type]
  const { id: _, type: __, ...own } = state.shape
  const fields = Object.keys(own).map(name => [name, Reflect.get(block, name)])
  return { id: block.id, type, ...Object.fromEntries(fields), ...derived?.(block), ...filled }
}
