// What the owner's pages know about a block type: its place in the card builder, and its entry in the interaction log.
// The channel page doesn't load it.
import type { z } from 'zod'
import type { BlockOf, BlockType, block, CardStateEntry } from '../../shared/block.ts'
import type { FieldSpec, FieldsOf } from './field-spec.ts'

type NewBlockOf<T> = Extract<z.input<typeof block>, { type: T }>

export type BlockKind<T extends BlockType = BlockType> = {
  name: string
  about: string
  /** The path of a picture of 16 by 16. */
  icon: string
  /** What "Add a block" adds. `origin` is the service's own address: it serves the picture of the example. */
  example: (origin: string) => NewBlockOf<T>
  fields: Record<string, FieldSpec>
  /** A list of the block whose items sum it up, and the field that names an item. */
  list?: { field: string; name: string }
}

export type BlockKindOf<T extends BlockType> = BlockKind<T> & {
  fields: FieldsOf<BlockOf<T>>
  /** What the log shows of the block as it was at the time of an interaction. */
  entry: (entry: Extract<CardStateEntry, { type: T }>) => EntryContent
}

/** `note` isn't the block's own words. `pairs`: names and values. */
export type EntryContent =
  | { text: string }
  | { note: string }
  | { line: true }
  | { pairs: [string, string][] }
  | { buttons: { id: string; label: string }[] }
