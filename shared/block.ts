// The block types, and what is derived from their definitions. CONTRIBUTING.md has the recipe for a new one.
import { z } from 'zod'
import { badgeBlock } from './blocks/badge.ts'
import { buttonBlock } from './blocks/button.ts'
import type { BlockDefinition } from './blocks/definition.ts'
import { dividerBlock } from './blocks/divider.ts'
import { withoutCleared } from './blocks/fields.ts'
import { imageBlock } from './blocks/image.ts'
import { inputBlock } from './blocks/input.ts'
import { kvBlock } from './blocks/kv.ts'
import { multiselectBlock } from './blocks/multiselect.ts'
import { selectBlock } from './blocks/select.ts'
import { textBlock } from './blocks/text.ts'
import { toggleBlock } from './blocks/toggle.ts'

const BLOCKS = {
  text: textBlock,
  badge: badgeBlock,
  kv: kvBlock,
  button: buttonBlock,
  image: imageBlock,
  divider: dividerBlock,
  input: inputBlock,
  select: selectBlock,
  multiselect: multiselectBlock,
  toggle: toggleBlock,
}
export type BlockType = keyof typeof BLOCKS

const definitions = Object.values(BLOCKS)

export const block = z
  .discriminatedUnion('type', oneOrMore(definitions.map(({ schema }) => schema)))
  .overwrite(withoutCleared)
export type Block = z.output<typeof block>
type Blocks = { [T in BlockType]: Extract<Block, { type: T }> }
export type BlockOf<T extends BlockType> = Blocks[T]

/** As it is sent. */
export const newBlock = z
  .discriminatedUnion('type', oneOrMore(definitions.map(({ sent }) => sent)))
  .overwrite(withoutCleared)
export type NewBlock = z.output<typeof newBlock>

/** The entry of a block in the `card_state` of an interaction. */
export const cardStateEntry = z.discriminatedUnion('type', oneOrMore(definitions.map(({ state }) => state)))
export type CardStateEntry = z.output<typeof cardStateEntry>

export const BLOCK_DEFINITIONS: { [T in BlockType]: BlockDefinition<BlockOf<T>> } = BLOCKS

function oneOrMore<T>(list: T[]): [T, ...T[]] {
  const [first, ...others] = list
  if (first === undefined) throw new Error('there is a block type')
  return [first, ...others]
}
