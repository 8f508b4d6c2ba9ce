// What the file of a block type shows on cards.
import type { Component } from 'solid-js'
import type { BlockOf, BlockType } from '../../../shared/block.ts'

export type BlockDisplay<T extends BlockType> = {
  View: Component<{ block: BlockOf<T> }>
  /** Beside the card's status and time. */
  Lead?: Component<{ block: BlockOf<T> }>
  /** The block as text, for a copy of the card. */
  words?: (block: BlockOf<T>) => string
}
